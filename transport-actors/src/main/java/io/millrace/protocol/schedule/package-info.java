/**
 * When and in which order: the timing wheel and the priority scheduler of a worker.
 *
 * <p>Both belong to a worker and are called on the worker's thread alone. Times are nanoseconds of
 * a clock that does not wrap within the life of the process; the code compares times as signed
 * numbers, so that {@link Long#MAX_VALUE} can mean "no deadline".
 */
@NullMarked
package io.millrace.protocol.schedule;

import org.jspecify.annotations.NullMarked;
