/**
 * The Linux socket driver, {@code udp}: libc called through the foreign function interface, trains
 * cut and joined by the kernel, congestion marks, and the error queue.
 *
 * <p>Layouts and numbers apply to 64-bit little-endian Linux, equally on x86-64 and aarch64.
 */
@NullMarked
package io.millrace.udp.linux;

import org.jspecify.annotations.NullMarked;
