/** The access that simulated nodes allow each other. */
@NullMarked
package io.millrace.samples.sim.access;

import org.jspecify.annotations.NullMarked;
