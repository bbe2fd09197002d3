/**
 * Calls of one path, both ways: the open calls, their answers, and the way of requests and
 * responses too large for a frame. On the worker's thread, except handlers of an executor and
 * cancellations by callers.
 */
@NullMarked
package io.millrace.path.call;

import org.jspecify.annotations.NullMarked;
