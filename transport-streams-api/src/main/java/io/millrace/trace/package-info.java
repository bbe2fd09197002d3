/**
 * What makes spans of transfers, for tracing: an application gives one to {@code
 * Transport.Builder.tracing}.
 */
@NullMarked
package io.millrace.trace;

import org.jspecify.annotations.NullMarked;
