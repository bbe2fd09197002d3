/** Tests of the libfabric driver; those that need libfabric say so by {@code NeedsDriver}. */
@NullMarked
package io.millrace.efa;

import org.jspecify.annotations.NullMarked;
