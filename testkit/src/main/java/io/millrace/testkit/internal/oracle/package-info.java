/** Rules that a simulated run must keep, checked during the run and at its end. */
@NullMarked
package io.millrace.testkit.internal.oracle;

import org.jspecify.annotations.NullMarked;
