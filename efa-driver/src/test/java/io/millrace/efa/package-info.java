/** Tests of the libfabric driver; tests that need libfabric are marked by {@code NeedsDriver}. */
@NullMarked
package io.millrace.efa;

import org.jspecify.annotations.NullMarked;
