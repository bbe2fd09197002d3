package io.millrace.handshake.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.millrace.handshake.ProviderCard;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a connection whose other side speaks no TLS: HTTP, or the line of a node with
 * another handshake provider; rule H-14.
 *
 * @param reason the fault of the other side, for a person
 * @param answer the bytes for the other side
 */
record PlainText(String reason, byte[] answer) {
  private static final int LONGEST = 64;
  private static final List<String> METHODS =
      List.of(
          "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "PATCH ", "CONNECT ", "PRI ");
  private static final String HTTP_TEXT =
      "This is the handshake address of a Millrace node, which speaks TLS and no HTTP.\n";
  private static final byte[] HTTP_ANSWER =
      ("HTTP/1.1 400 Bad Request\r\n"
              + "Content-Type: text/plain\r\n"
              + "Connection: close\r\n"
              + "Content-Length: "
              + HTTP_TEXT.length()
              + "\r\n\r\n"
              + HTTP_TEXT)
          .getBytes(US_ASCII);

  /** Returns the meaning of the received bytes, or null for bytes that mean nothing. */
  static @Nullable PlainText of(ByteBuffer received) {
    byte[] bytes = new byte[Math.min(LONGEST, received.remaining())];
    received.duplicate().get(bytes);
    String text = new String(bytes, US_ASCII);
    String provider = ProviderCard.ofLine(text);
    if (provider != null) {
      return new PlainText(
          ProviderCard.refusal(provider, ProviderCard.TLS), ProviderCard.line(ProviderCard.TLS));
    }
    return METHODS.stream().anyMatch(text::startsWith)
        ? new PlainText("it does not speak TLS, but HTTP", HTTP_ANSWER)
        : null;
  }
}
