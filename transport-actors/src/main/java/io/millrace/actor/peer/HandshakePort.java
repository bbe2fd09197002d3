package io.millrace.actor.peer;

/**
 * How a peer's actor asks for a handshake, whose answer comes as a {@link PeerCommand}, and tells
 * what became of the path. Any thread.
 */
public interface HandshakePort {
  /** Begins a handshake with {@code identity}, whose worker here is {@code worker}. */
  void connect(String identity, int worker);

  /** A path to {@code identity} has ended, or could not be opened after all. */
  void onPathEnded(String identity);
}
