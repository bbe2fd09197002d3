package io.millrace.crypto;

/**
 * A way for two nodes to authenticate each other and agree on a path secret.
 *
 * <p>Found by {@link java.util.ServiceLoader}. Stateless and safe on any thread; all of it is
 * control plane and may allocate, lock and block for a bounded time. Providers that bring their own
 * input and output (QUIC, TLS over TCP) implement {@link Handshaker} as they like; those that
 * exchange datagrams implement {@link DatagramHandshake}, which the simulator can drive, and leave
 * the socket to others.
 */
public interface HandshakeProvider {
  /** Short name that users type, for example {@code psk}. */
  String name();

  /**
   * Says whether this works here. Never throws; whatever went wrong is the reason in the answer.
   */
  HandshakeAvailability probe();

  /**
   * Whether it can agree on secrets that a quantum computer does not find out from what was
   * recorded, see {@link HandshakeSettings#postQuantum()}.
   */
  default boolean isPostQuantum() {
    return false;
  }

  /**
   * Begins to listen on the handshake address.
   *
   * @throws HandshakeException with one clear sentence: port in use, credentials of another kind
   */
  Handshaker open(HandshakeSettings settings, HandshakeListener listener) throws HandshakeException;
}
