/** What the generators of simulated runs drew, over one run or many. */
@NullMarked
package io.millrace.testkit.internal.drawn;

import org.jspecify.annotations.NullMarked;
