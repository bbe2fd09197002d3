/**
 * What must hold in every simulated run, whatever the seed and the scenario: rules that watch a
 * cluster and end the run when one is broken.
 */
@NullMarked
package io.millrace.testkit.sim.oracle;

import org.jspecify.annotations.NullMarked;
