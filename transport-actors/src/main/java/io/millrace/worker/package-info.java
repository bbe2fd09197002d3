/** The duty cycle of a worker, and the watches on the worker's NICs and on its rest. */
@NullMarked
package io.millrace.worker;

import org.jspecify.annotations.NullMarked;
