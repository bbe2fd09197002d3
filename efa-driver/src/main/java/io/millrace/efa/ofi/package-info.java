/**
 * The binding to libfabric: an interface for what the driver uses of it, and Panama behind it.
 *
 * <p>Return codes are C's (0 or positive is success, negative is an error number), pointers are
 * {@code long}. Nothing here decides anything; what is called when is the driver's business.
 */
@NullMarked
package io.millrace.efa.ofi;

import org.jspecify.annotations.NullMarked;
