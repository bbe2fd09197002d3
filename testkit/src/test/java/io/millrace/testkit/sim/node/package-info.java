/** Tests of simulated nodes. */
@NullMarked
package io.millrace.testkit.sim.node;

import org.jspecify.annotations.NullMarked;
