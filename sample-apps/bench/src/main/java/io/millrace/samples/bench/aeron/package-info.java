/** Aeron as a peer of {@code millrace bench}. */
@NullMarked
package io.millrace.samples.bench.aeron;

import org.jspecify.annotations.NullMarked;
