package io.millrace.event;

/**
 * The events on one path in an interval, and the path's state at the interval's end.
 *
 * @param peer the peer's handshake address
 * @param pathId the path's number
 * @param packetsAcked packets acknowledged in the interval
 * @param packetsLost packets declared lost in the interval
 * @param state the path's state
 */
public record PathActivity(
    String peer, long pathId, long packetsAcked, long packetsLost, PathProbe.PathState state) {}
