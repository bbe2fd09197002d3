/** What a node costs before its first byte, and while it waits. */
@NullMarked
package io.millrace.samples.bench.start;

import org.jspecify.annotations.NullMarked;
