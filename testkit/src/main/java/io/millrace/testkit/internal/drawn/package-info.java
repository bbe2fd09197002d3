/** The values drawn by the generators of simulated runs, over one run or many. */
@NullMarked
package io.millrace.testkit.internal.drawn;

import org.jspecify.annotations.NullMarked;
