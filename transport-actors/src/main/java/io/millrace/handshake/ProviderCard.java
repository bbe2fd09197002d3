package io.millrace.handshake;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.millrace.wire.PacketHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The datagrams and the line by which nodes with different settings of {@code
 * millrace.handshake.provider} tell each other the setting; rule H-14. Nobody vouches for a card: a
 * card is part of a text for people, and decides nothing. Stateless, any thread.
 */
public final class ProviderCard {
  /** A key that both sides know. */
  public static final String PSK = "psk";

  /** Certificates, by TLS over TCP. */
  public static final String TLS = "tls";

  /** Certificates, by QUIC. */
  public static final String QUIC = "quic";

  /** The version of handshake datagrams that are cards. */
  public static final int VERSION = 0;

  /** Bytes of a question: longer than each answer. */
  public static final int QUESTION_BYTES = 128;

  private static final int ANSWER_BYTES = 3;
  private static final List<String> PROVIDERS = List.of(PSK, TLS, QUIC);
  private static final String LINE = "millrace-handshake-provider ";

  private ProviderCard() {}

  /** The datagram with which a node with this provider asks for the provider of another node. */
  static byte[] question(String provider) {
    return card(provider, QUESTION_BYTES);
  }

  /** The datagram that answers a question. */
  public static byte[] answer(String provider) {
    return card(provider, ANSWER_BYTES);
  }

  private static byte[] card(String provider, int length) {
    byte[] bytes = new byte[length];
    bytes[0] = PacketHeader.FORM_HANDSHAKE;
    bytes[1] = VERSION;
    bytes[2] = (byte) (PROVIDERS.indexOf(provider) + 1);
    return bytes;
  }

  /** The provider in the third byte of a card. */
  public static String named(byte id) {
    return id >= 1 && id <= PROVIDERS.size() ? PROVIDERS.get(id - 1) : "unknown";
  }

  /** The provider of the node that asks by this datagram, or null for any other datagram. */
  public static @Nullable String asking(ByteBuffer datagram) {
    if (datagram.remaining() != QUESTION_BYTES) {
      return null;
    }
    byte[] bytes = new byte[QUESTION_BYTES];
    datagram.duplicate().get(bytes);
    String provider = named(bytes[2]);
    // A packet of QUIC may begin with the same byte.
    return PROVIDERS.contains(provider) && Arrays.equals(bytes, question(provider))
        ? provider
        : null;
  }

  /** The provider of the node that answers a question by this datagram, or null. */
  static @Nullable String answering(byte[] datagram, int length) {
    if (length < ANSWER_BYTES || datagram[0] != PacketHeader.FORM_HANDSHAKE) {
      return null;
    }
    // A node with a pre-shared key answers each unknown version by a Reject.
    return datagram[1] == VERSION ? named(datagram[2]) : PSK;
  }

  /** The line with which a node with this provider begins a TCP connection, or answers a line. */
  public static byte[] line(String provider) {
    return (LINE + provider + "\n").getBytes(US_ASCII);
  }

  /** The provider in a line, or null for any other text. */
  public static @Nullable String ofLine(String text) {
    if (!text.startsWith(LINE)) {
      return null;
    }
    String provider = text.substring(LINE.length()).strip();
    return PROVIDERS.contains(provider) ? provider : null;
  }

  /** The text of a listener about a node with another provider. */
  public static String refusal(String theirs, String own) {
    return "it has millrace.handshake.provider = " + theirs + ", this node has " + own;
  }
}
