/** Scenarios on the public API, for {@code millrace sim} and for reading. */
@NullMarked
package io.millrace.samples.sim;

import org.jspecify.annotations.NullMarked;
