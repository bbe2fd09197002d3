/**
 * The handshake provider {@code quic}: QUIC version 1 with TLS 1.3 and certificates of both sides,
 * by Netty's codec, on the UDP port of the handshake address. For networks that let only UDP pass.
 *
 * <p>Only {@link io.millrace.handshake.quic.QuicProvider} may be loaded without Netty on the class
 * path. Everything else runs on the only event loop thread of a handshaker.
 *
 * <p>The path secret comes from the TLS exporter. Netty has no call for the exporter, so Netty's
 * key log delivers the exporter secret; see {@link io.millrace.handshake.quic.QuicTls} for the
 * consequences.
 */
@NullMarked
package io.millrace.handshake.quic;

import org.jspecify.annotations.NullMarked;
