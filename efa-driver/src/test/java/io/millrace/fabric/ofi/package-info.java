/** Tests of the libfabric binding. */
@NullMarked
package io.millrace.fabric.ofi;

import org.jspecify.annotations.NullMarked;
