/**
 * The binding to libfabric: an interface for the driver's use of libfabric, with an implementation
 * by Panama.
 *
 * <p>Return codes are C's (0 or positive is success, negative is an error number), pointers are
 * {@code long}. The binding makes no decisions; the driver decides about all calls.
 */
@NullMarked
package io.millrace.efa.ofi;

import org.jspecify.annotations.NullMarked;
