/**
 * Calls of one path, both ways: which are open, what they are answered, and how requests and
 * responses travel that fit no frame. On the worker's thread, but for handlers of an executor and
 * what callers cancel.
 */
@NullMarked
package io.millrace.path.call;

import org.jspecify.annotations.NullMarked;
