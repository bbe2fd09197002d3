/** The portable socket driver, {@code udp-nio}: a non-blocking datagram channel per endpoint. */
@NullMarked
package io.millrace.udp.nio;

import org.jspecify.annotations.NullMarked;
