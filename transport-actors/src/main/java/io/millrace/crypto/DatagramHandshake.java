package io.millrace.crypto;

import java.net.InetAddress;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A handshake that exchanges opaque datagrams, without a socket, thread or clock of its own: all
 * exchanges of a handshake address, begun by this node or by peers.
 *
 * <p>Not thread-safe. The driver calls {@link #pollMessage} and {@link #pollOutcome} until both are
 * empty after each {@link #connect}, {@link #onMessage} and {@link #onDeadline}, and calls {@link
 * #onDeadline} when the time of {@link #nextDeadlineNs()} has come.
 *
 * <p>Addresses are tokens that mean nothing here. A token given to {@link #connect} is used until
 * the outcome of the exchange; a token given with a message is used only in messages polled before
 * the next message.
 */
public interface DatagramHandshake {
  /** The answer of {@link #nextDeadlineNs()} when nothing will ever be due. */
  long NO_DEADLINE = Long.MAX_VALUE;

  /** The exchange id of outcomes that a peer began. */
  long PEERS_EXCHANGE = 0;

  /**
   * Begins an exchange. The exchange's outcome will carry the returned id.
   *
   * @param toToken the address of the exchange's messages
   * @param localAdvert this node's offer, copied
   * @throws IllegalArgumentException if the advert is too long
   */
  long connect(long toToken, byte[] localAdvert, long nowNs);

  /**
   * The next datagram came from this address. A machine whose outcomes prove that a peer receives
   * at its sending address takes no exchange that began at another address.
   */
  default void onSource(InetAddress from) {}

  /** Takes in a datagram of any content; neither throws nor keeps the buffer. */
  void onMessage(DirectBuffer buffer, int offset, int length, long fromToken, long nowNs);

  /**
   * Whether this datagram, if genuine, would begin an exchange: the first message of a stranger.
   * Looks at its form only, and neither throws nor changes anything.
   */
  default boolean isFirst(DirectBuffer buffer, int offset, int length) {
    return false;
  }

  /** Gives the next datagram to send to {@code sink}, if a datagram waits. */
  boolean pollMessage(MessageSink sink);

  /** The next ended exchange, or null. */
  @Nullable Ended pollOutcome();

  /** Why the last message was refused, for a person, or null without a refusal; once. */
  default @Nullable String pollRefusal() {
    return null;
  }

  /** The time when {@link #onDeadline} is due, or {@link #NO_DEADLINE}. */
  long nextDeadlineNs();

  /** Does the due work: sends again, gives up, forgets. */
  void onDeadline(long nowNs);

  /** Ends all exchanges and overwrites the secrets; nothing is taken or begun afterwards. */
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
   * An ended exchange.
   *
   * @param exchangeId the id that {@link #connect} returned, or {@link #PEERS_EXCHANGE}
   * @param outcome the end of the exchange; never a failure for an exchange that a peer began
   */
  record Ended(long exchangeId, HandshakeOutcome outcome) {}
}
