/** The cost of encrypted bulk on the same cores without a protocol around the bulk. */
@NullMarked
package io.millrace.samples.bench.floor;

import org.jspecify.annotations.NullMarked;
