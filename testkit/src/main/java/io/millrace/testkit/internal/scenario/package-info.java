/**
 * Scenarios: what a simulated cluster does and suffers in one run, drawn from the run's seed; many
 * seeds at once; and what is left of a failing run when everything is left out that does not
 * matter.
 */
@NullMarked
package io.millrace.testkit.internal.scenario;

import org.jspecify.annotations.NullMarked;
