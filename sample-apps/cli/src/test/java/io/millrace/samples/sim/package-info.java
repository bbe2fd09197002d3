/** Tests of the scenarios. */
@NullMarked
package io.millrace.samples.sim;

import org.jspecify.annotations.NullMarked;
