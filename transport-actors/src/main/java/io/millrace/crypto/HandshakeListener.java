package io.millrace.crypto;

/** A node that peers connect to. Called on the handshaker's thread, one call at a time. */
public interface HandshakeListener extends HandshakeHost {
  /** A peer connected. The path secret is the listener's from now on. Must not block. */
  void onEstablished(HandshakeOutcome.Established path);

  /** Handling threw, here or in a callback. Handshakes go on, unless the socket is gone. */
  void onFault(Throwable fault);
}
