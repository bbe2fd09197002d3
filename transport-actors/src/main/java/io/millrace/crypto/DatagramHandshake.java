package io.millrace.crypto;

import java.net.InetAddress;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A handshake that exchanges opaque datagrams, without a socket, thread or clock of its own: all
 * the exchanges of one handshake address, begun by this node or by peers.
 *
 * <p>Not thread-safe. Whoever drives it calls {@link #pollMessage} and {@link #pollOutcome} until
 * they have nothing more after each {@link #connect}, {@link #onMessage} and {@link #onDeadline},
 * and calls {@link #onDeadline} when the time of {@link #nextDeadlineNs()} has come.
 *
 * <p>Addresses are tokens that mean nothing here. One given to {@link #connect} is used until the
 * outcome of that exchange; one given with a message is used only in what is polled before the next
 * message.
 */
public interface DatagramHandshake {
  /** What {@link #nextDeadlineNs()} answers when nothing is due, ever. */
  long NO_DEADLINE = Long.MAX_VALUE;

  /** The exchange id of outcomes that a peer began. */
  long PEERS_EXCHANGE = 0;

  /**
   * Begins an exchange. Its outcome will carry the id that is returned.
   *
   * @param toToken where its messages go
   * @param localAdvert what this node offers, copied
   * @throws IllegalArgumentException if the advert is too long
   */
  long connect(long toToken, byte[] localAdvert, long nowNs);

  /**
   * The datagram that comes next came from this address. A machine whose outcomes prove that a peer
   * receives where it sends from takes no exchange that began at another address.
   */
  default void onSource(InetAddress from) {}

  /** Takes in a datagram, whatever it is; neither throws nor keeps the buffer. */
  void onMessage(DirectBuffer buffer, int offset, int length, long fromToken, long nowNs);

  /**
   * Whether this datagram, whatever it is, would begin an exchange if it is genuine: the first that
   * a stranger sends. Looks at its form only, and neither throws nor changes anything.
   */
  default boolean isFirst(DirectBuffer buffer, int offset, int length) {
    return false;
  }

  /** Gives the next datagram to send to {@code sink}, if there is one. */
  boolean pollMessage(MessageSink sink);

  /** The next exchange that ended, or null. */
  @Nullable Ended pollOutcome();

  /** Why the message that came last was refused, for a person, or null if it was not; once. */
  default @Nullable String pollRefusal() {
    return null;
  }

  /** When {@link #onDeadline} is due, or {@link #NO_DEADLINE}. */
  long nextDeadlineNs();

  /** Does what is due: sends again, gives up, forgets. */
  void onDeadline(long nowNs);

  /** Ends all exchanges and overwrites what is secret; nothing is taken or begun afterwards. */
  void onClose();

  /** The longest advert, bytes. */
  int maxAdvertBytes();

  /** Takes datagrams to be sent. */
  @FunctionalInterface
  interface MessageSink {
    /** The bytes are valid during the call only. */
    void onMessage(DirectBuffer buffer, int offset, int length, long toToken);
  }

  /**
   * An exchange that ended.
   *
   * @param exchangeId as {@link #connect} returned it, or {@link #PEERS_EXCHANGE}
   * @param outcome how it ended; never a failure if a peer began it
   */
  record Ended(long exchangeId, HandshakeOutcome outcome) {}
}
