/**
 * Spans of transfers, for tracing: an application passes a {@code Tracing} to {@code
 * Transport.Builder.tracing}.
 */
@NullMarked
package io.millrace.trace;

import org.jspecify.annotations.NullMarked;
