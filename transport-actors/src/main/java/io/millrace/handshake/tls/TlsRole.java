package io.millrace.handshake.tls;

import io.millrace.crypto.HandshakeFailure;
import org.jspecify.annotations.Nullable;

/** What a connection is for. On the handshaker's thread. */
interface TlsRole {
  String CLOSED_EARLY = "closed the connection during the handshake";
  String TOO_SLOW = "stopped answering during the handshake";
  String TOO_BUSY = "this node has too many handshakes under way";

  /** Whether this node began. */
  boolean isInitiator();

  /** What a sentence about the other begins with. */
  String peer();

  /** This side's random bytes of TLS are about to be made. */
  void onFreshSecret();

  /** Both sides are authenticated, as far as this one knows. */
  void onSecure();

  /** The peer's frame; null if what came is none. */
  void onFrame(byte @Nullable [] frame);

  /** The connection has ended, and not a byte of the other was read. */
  void onUnheard();

  /** There will be no path; more than once, of which the first counts. */
  void onFailure(String reason, HandshakeFailure cause);
}
