/** Bounded queues between threads, below every other package: no lock, no allocation. */
@NullMarked
package io.millrace.queue;

import org.jspecify.annotations.NullMarked;
