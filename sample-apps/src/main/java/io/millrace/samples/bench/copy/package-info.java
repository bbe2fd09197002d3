/** What copies of whole files cost: {@link io.millrace.samples.bench.copy.CopyCost}. */
@NullMarked
package io.millrace.samples.bench.copy;

import org.jspecify.annotations.NullMarked;
