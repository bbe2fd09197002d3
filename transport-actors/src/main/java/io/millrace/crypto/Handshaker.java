package io.millrace.crypto;

import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * Listens on a handshake address and begins handshakes from the address. Made by {@link
 * HandshakeProvider#open}; owned and closed by the node's control plane.
 *
 * <p>Every method may be called on any thread and returns at once, closing within a second. All
 * callbacks come one at a time on a thread of the handshaker's own; a callback must not block this
 * thread.
 */
public interface Handshaker extends AutoCloseable {
  /** The address that this handshaker listens at, with the actual port. */
  InetSocketAddress localAddress();

  /**
   * Begins a handshake.
   *
   * @param remote the peer's handshake address
   * @param localAdvert this node's offer; opaque here, copied
   * @param onOutcome called exactly once; on the caller's thread if this is closed already
   * @throws IllegalArgumentException if the advert is longer than {@link #maxAdvertBytes()}
   */
  void connect(InetSocketAddress remote, byte[] localAdvert, Consumer<HandshakeOutcome> onOutcome);

  /** The longest advert that this handshaker can carry, bytes. */
  int maxAdvertBytes();

  /** Stops listening; handshakes under way end as {@link HandshakeFailure#CLOSED}. Idempotent. */
  @Override
  void close();
}
