package io.millrace.crypto;

import java.net.InetSocketAddress;

/** A node that peers connect to. Called on the handshaker's thread, one call at a time. */
public interface HandshakeListener extends HandshakeHost {
  /** A peer connected. The path secret is the listener's from now on. Must not block. */
  void onEstablished(HandshakeOutcome.Established path);

  /**
   * A handshake that somebody at this address began was refused, or the proof was wrong. Nobody
   * vouches for the address. Must not block.
   *
   * @param reason the fault of the other side, for a person
   */
  default void onRefused(InetSocketAddress remote, String reason) {}

  /**
   * The files of this node's credentials have changed, as the handshake that came next found. Must
   * not block.
   *
   * @param used whether the new files are in use; if not, the former are
   * @param detail for a person: the owner of the certificate, or the fault of the files
   */
  default void onCredentialsReloaded(boolean used, String detail) {}

  /** Handling threw, here or in a callback. Handshakes go on, unless the socket is gone. */
  void onFault(Throwable fault);
}
