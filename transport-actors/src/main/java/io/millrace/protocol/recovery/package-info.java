/**
 * Loss recovery of one path, after RFC 9002: what was sent, what arrived, what is lost and when to
 * ask again.
 *
 * <p>One {@link io.millrace.protocol.recovery.PathRecovery} for what a path sends and one {@link
 * io.millrace.protocol.recovery.ReceivedPackets} for what it receives, both owned by the peer that
 * the path leads to and called on the worker's thread alone. Times are nanoseconds of one clock
 * that does not wrap within the life of the process; they are compared as signed numbers, so that
 * {@link Long#MAX_VALUE} can mean "no deadline". Packet numbers count from 0 in each direction of a
 * path.
 */
@NullMarked
package io.millrace.protocol.recovery;

import org.jspecify.annotations.NullMarked;
