/** Bursts in the simulator, where no processor bounds a burst. */
@NullMarked
package io.millrace.samples.bench.burst.simulated;

import org.jspecify.annotations.NullMarked;
