package io.millrace.crypto;

/**
 * A way for two nodes to authenticate each other and agree on a path secret.
 *
 * <p>Found by {@link java.util.ServiceLoader}. Stateless and safe on any thread; all methods are
 * control plane and may allocate, lock and block for a bounded time. Providers with their own input
 * and output (QUIC, TLS over TCP) implement {@link Handshaker} freely; providers that exchange
 * datagrams implement {@link DatagramHandshake}, which the simulator can drive, and leave the
 * socket to other code.
 */
public interface HandshakeProvider {
  /** Short name that users type, for example {@code psk}. */
  String name();

  /** Says whether this works here. Never throws; the answer holds the reason of a failure. */
  HandshakeAvailability probe();

  /**
   * Whether the provider can agree on secrets that a quantum computer cannot find from a recording,
   * see {@link HandshakeSettings#postQuantum()}.
   */
  default boolean isPostQuantum() {
    return false;
  }

  /**
   * Begins to listen on the handshake address.
   *
   * @throws HandshakeException with a clear sentence: port in use, credentials of another kind
   */
  Handshaker open(HandshakeSettings settings, HandshakeListener listener) throws HandshakeException;
}
