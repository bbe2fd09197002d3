/**
 * {@code millrace bench reference}: incasts that the field publishes, in the simulator, beside the
 * published figures.
 *
 * <p>Time is virtual, so a processor bounds nothing: the figures are the protocol's alone.
 */
@NullMarked
package io.millrace.samples.bench.reference;

import org.jspecify.annotations.NullMarked;
