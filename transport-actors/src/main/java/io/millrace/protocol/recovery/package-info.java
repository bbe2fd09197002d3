/**
 * Loss recovery of a path, after RFC 9002: the packets sent, received and lost, and the times to
 * ask again.
 *
 * <p>A {@link io.millrace.protocol.recovery.PathRecovery} for the packets that a path sends and a
 * {@link io.millrace.protocol.recovery.ReceivedPackets} for the packets that the path receives,
 * both owned by the path's peer and called on the worker's thread alone. Times are nanoseconds of a
 * clock that does not wrap within the life of the process; the code compares times as signed
 * numbers, so that {@link Long#MAX_VALUE} can mean "no deadline". Packet numbers count from 0 in
 * each direction of a path.
 */
@NullMarked
package io.millrace.protocol.recovery;

import org.jspecify.annotations.NullMarked;
