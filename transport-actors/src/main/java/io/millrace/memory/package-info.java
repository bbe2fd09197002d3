/** Buffers over memory of the heap and of the system, below every other package. */
@NullMarked
package io.millrace.memory;

import org.jspecify.annotations.NullMarked;
