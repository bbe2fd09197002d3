/**
 * What the pieces of the data path cost one by one, in nanoseconds and bytes of garbage, measured
 * with JMH. {@link io.millrace.samples.jmh.Pieces} runs them.
 */
@NullMarked
package io.millrace.samples.jmh;

import org.jspecify.annotations.NullMarked;
