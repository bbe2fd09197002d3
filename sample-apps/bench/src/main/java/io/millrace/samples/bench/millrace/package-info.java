/** Millrace itself under comparison: encrypted, one thread for each side. */
@NullMarked
package io.millrace.samples.bench.millrace;

import org.jspecify.annotations.NullMarked;
