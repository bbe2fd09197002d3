/**
 * Scenarios: the work and the faults of a simulated cluster in one run, drawn from the run's seed.
 * This package runs many seeds at once, and leaves out of a failing run all parts that do not
 * matter.
 */
@NullMarked
package io.millrace.testkit.internal.scenario;

import org.jspecify.annotations.NullMarked;
