package io.millrace.actor.peer;

/**
 * How a peer's actor asks for a handshake; the answer comes as a {@link PeerCommand}. Any thread.
 */
@FunctionalInterface
public interface HandshakePort {
  /** Begins a handshake with {@code identity}, whose worker here is {@code worker}. */
  void connect(String identity, int worker);
}
