package io.millrace.testkit.sim.net;

/**
 * What a sealed packet holds, as whoever sealed it knew.
 *
 * @param frame name of a frame's type, for example {@code WRITE_NOTIFY}
 * @param subject what the frame is about, for example the number of a transfer
 */
public record FrameNote(String frame, long subject) {}
