/** Tests of the libfabric binding. */
@NullMarked
package io.millrace.efa.ofi;

import org.jspecify.annotations.NullMarked;
