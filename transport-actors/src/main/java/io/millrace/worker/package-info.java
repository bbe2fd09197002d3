/** One worker: its duty cycle, and what it watches. */
@NullMarked
package io.millrace.worker;

import org.jspecify.annotations.NullMarked;
