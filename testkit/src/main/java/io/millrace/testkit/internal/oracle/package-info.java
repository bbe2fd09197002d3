/** Rules that a simulated run must keep, checked while it goes on and when it is over. */
@NullMarked
package io.millrace.testkit.internal.oracle;

import org.jspecify.annotations.NullMarked;
