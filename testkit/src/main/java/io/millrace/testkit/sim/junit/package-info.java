/** Simulations as JUnit tests; see {@link io.millrace.testkit.sim.junit.SimulationTest}. */
@NullMarked
package io.millrace.testkit.sim.junit;

import org.jspecify.annotations.NullMarked;
