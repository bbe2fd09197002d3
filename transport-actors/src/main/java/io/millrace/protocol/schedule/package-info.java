/**
 * When and in which order: the timing wheel and the priority scheduler of a worker.
 *
 * <p>Both belong to one worker and are called on its thread alone. Times are nanoseconds of one
 * clock that does not wrap within the life of the process; they are compared as signed numbers, so
 * that {@link Long#MAX_VALUE} can mean "no deadline".
 */
@NullMarked
package io.millrace.protocol.schedule;

import org.jspecify.annotations.NullMarked;
