package io.millrace.samples.bench.burst.link;

/**
 * A change of the link in the middle of a burst, and the way back.
 *
 * @param fromNs the time of the change, {@link System#nanoTime}
 * @param untilNs the time of the way back
 * @param bitsPerSecond the rate of the link before and after
 * @param bitsPerSecondMeanwhile the rate between these times; the same where packets are lost
 */
public record LinkChange(
    long fromNs, long untilNs, long bitsPerSecond, long bitsPerSecondMeanwhile) {}
