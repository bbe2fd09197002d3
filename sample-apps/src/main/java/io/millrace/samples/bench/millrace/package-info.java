/** Millrace itself under comparison: encrypted, one thread a side. */
@NullMarked
package io.millrace.samples.bench.millrace;

import org.jspecify.annotations.NullMarked;
