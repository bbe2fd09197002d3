/** Simulated nodes with different sets of drivers. */
@NullMarked
package io.millrace.samples.sim.families;

import org.jspecify.annotations.NullMarked;
