/** The cost of a node before its first byte, and at rest. */
@NullMarked
package io.millrace.samples.bench.start;

import org.jspecify.annotations.NullMarked;
