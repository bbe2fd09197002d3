/**
 * Streams of one path: elements on their way between stages and frames. Stages use the outlets and
 * inlets of {@code ends}; this package is on the worker's thread.
 */
@NullMarked
package io.millrace.path.stream;

import org.jspecify.annotations.NullMarked;
