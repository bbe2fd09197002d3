/**
 * Simulations for applications: a run, its nodes, its faults and their schedule, the choices of a
 * seed, and the settings of networks. Tests get a run from {@link
 * io.millrace.testkit.sim.junit.SimulationTest}.
 */
@NullMarked
package io.millrace.testkit.sim;

import org.jspecify.annotations.NullMarked;
