@NullMarked
package io.millrace.testkit.sim.patch;

import org.jspecify.annotations.NullMarked;
