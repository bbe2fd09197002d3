/** The bursts of the preset {@code shapes}. */
@NullMarked
package io.millrace.samples.bench.burst.shape;

import org.jspecify.annotations.NullMarked;
