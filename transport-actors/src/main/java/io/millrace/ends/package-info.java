/**
 * Between a worker and other threads: rings of submissions, lanes to an executor, places of
 * completions, queues of elements, shared budgets and counters.
 */
@NullMarked
package io.millrace.ends;

import org.jspecify.annotations.NullMarked;
