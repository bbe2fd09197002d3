/**
 * Scenarios: the work and the faults of a simulated cluster in one run, drawn from the run's seed;
 * many seeds at once; and the remainder of a failing run without the parts that do not matter.
 */
@NullMarked
package io.millrace.testkit.internal.scenario;

import org.jspecify.annotations.NullMarked;
