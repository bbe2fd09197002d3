/**
 * The recent activity of a node: served in the text format of Prometheus, and shown by {@code top}.
 */
@NullMarked
package io.millrace.samples.top;

import org.jspecify.annotations.NullMarked;
