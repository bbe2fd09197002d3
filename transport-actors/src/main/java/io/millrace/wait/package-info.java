/** Waits for the end of threads and executors, below every other package. */
@NullMarked
package io.millrace.wait;

import org.jspecify.annotations.NullMarked;
