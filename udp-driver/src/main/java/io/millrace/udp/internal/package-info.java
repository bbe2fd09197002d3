/**
 * The code shared by both socket drivers: addresses, send buffers and limits. Not for applications.
 */
@NullMarked
package io.millrace.udp.internal;

import org.jspecify.annotations.NullMarked;
