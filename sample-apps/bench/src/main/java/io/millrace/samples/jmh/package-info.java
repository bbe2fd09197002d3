/**
 * The costs of the data path's pieces, piece by piece, in nanoseconds and bytes of garbage,
 * measured with JMH. {@link io.millrace.samples.jmh.Pieces} runs all benchmarks.
 */
@NullMarked
package io.millrace.samples.jmh;

import org.jspecify.annotations.NullMarked;
