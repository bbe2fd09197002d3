/** One worker: its actor, its duty cycle and the actors that live beside it. */
@NullMarked
package io.millrace.worker;

import org.jspecify.annotations.NullMarked;
