package io.millrace.handshake.tls;

import io.millrace.crypto.HandshakeFailure;
import org.jspecify.annotations.Nullable;

/** The role of a connection. On the handshaker's thread. */
interface TlsRole {
  String CLOSED_EARLY = "closed the connection during the handshake";
  String TOO_SLOW = "stopped answering during the handshake";
  String TOO_BUSY = "this node has too many handshakes under way";

  /** Whether this node began. */
  boolean isInitiator();

  /** The beginning of a sentence about the other side. */
  String peer();

  /** This side's random bytes of TLS are about to be made. */
  void onFreshSecret();

  /** Both sides are authenticated, as far as this side knows. */
  void onSecure();

  /** The peer's frame; null if the bytes are no frame. */
  void onFrame(byte @Nullable [] frame);

  /** The connection has ended, and not a byte of the other was read. */
  void onUnheard();

  /** No path will come; of several calls the first counts. */
  void onFailure(String reason, HandshakeFailure cause);
}
