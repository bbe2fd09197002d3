/** Tests of the libfabric driver; those that need libfabric say so by {@code NeedsProvider}. */
@NullMarked
package io.millrace.efa;

import org.jspecify.annotations.NullMarked;
