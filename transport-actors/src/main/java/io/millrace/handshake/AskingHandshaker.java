package io.millrace.handshake;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.Handshaker;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks at an address where nobody answers a handshake whether a node with another {@code
 * millrace.handshake.provider} listens there, and says so in the reason of the failure; rule H-14.
 * The question costs a failed handshake up to {@value #LIMIT_MS} ms, on a virtual thread of its
 * own, and a successful handshake nothing.
 */
public final class AskingHandshaker implements Handshaker {
  static final int LIMIT_MS = 150;

  private static final int TLS_ALERT = 21;

  private final Handshaker handshaker;
  private final String provider;

  /** Owns the handshaker, whose provider has this name. */
  public AskingHandshaker(Handshaker handshaker, String provider) {
    this.handshaker = handshaker;
    this.provider = provider;
  }

  @Override
  public InetSocketAddress localAddress() {
    return handshaker.localAddress();
  }

  @Override
  public void connect(
      InetSocketAddress remote, byte[] localAdvert, Consumer<HandshakeOutcome> onOutcome) {
    handshaker.connect(
        remote,
        localAdvert,
        outcome -> {
          if (outcome instanceof HandshakeOutcome.Failed failed && isUnanswered(failed)) {
            Thread.ofVirtual().name("millrace-ask").start(() -> explain(failed, remote, onOutcome));
          } else {
            onOutcome.accept(outcome);
          }
        });
  }

  /** Delivers the outcome, whatever comes of the question. */
  private void explain(
      HandshakeOutcome.Failed failed,
      InetSocketAddress remote,
      Consumer<HandshakeOutcome> onOutcome) {
    HandshakeOutcome outcome = failed;
    try {
      outcome = explained(failed, remote);
    } finally {
      onOutcome.accept(outcome);
    }
  }

  private static boolean isUnanswered(HandshakeOutcome.Failed failed) {
    return failed.cause() == HandshakeFailure.NO_ANSWER
        && (failed.reason().startsWith("nobody listens")
            || failed.reason().startsWith("no answer within"));
  }

  private HandshakeOutcome explained(HandshakeOutcome.Failed failed, InetSocketAddress remote) {
    String theirs = provider.equals(ProviderCard.TLS) ? null : overTcp(remote);
    if (theirs == null) {
      theirs = overUdp(remote);
    }
    return theirs == null
        ? failed
        : new HandshakeOutcome.Failed(
            "the peer has millrace.handshake.provider = "
                + theirs
                + ", this node has "
                + provider
                + " ("
                + failed.reason()
                + ")",
            failed.cause());
  }

  private @Nullable String overUdp(InetSocketAddress remote) {
    byte[] answer = new byte[ProviderCard.QUESTION_BYTES];
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(LIMIT_MS);
      socket.connect(remote);
      byte[] question = ProviderCard.question(provider);
      socket.send(new DatagramPacket(question, question.length));
      DatagramPacket received = new DatagramPacket(answer, answer.length);
      socket.receive(received);
      String theirs = ProviderCard.answering(answer, received.getLength());
      return provider.equals(theirs) ? null : theirs;
    } catch (IOException | RuntimeException e) {
      return null; // nobody is there, or nobody answers
    }
  }

  private @Nullable String overTcp(InetSocketAddress remote) {
    try (Socket socket = new Socket()) {
      socket.connect(remote, LIMIT_MS);
      socket.setSoTimeout(LIMIT_MS);
      socket.getOutputStream().write(ProviderCard.line(provider));
      InputStream answer = socket.getInputStream();
      byte[] bytes = answer.readNBytes(ProviderCard.line(ProviderCard.TLS).length);
      // A node of an earlier release answers as TLS answers bytes that are no TLS: by an alert.
      return bytes.length > 0 && bytes[0] == TLS_ALERT
          ? ProviderCard.TLS
          : ProviderCard.ofLine(new String(bytes, US_ASCII));
    } catch (IOException | RuntimeException e) {
      return null; // nobody is there, or nobody answers
    }
  }

  @Override
  public int maxAdvertBytes() {
    return handshaker.maxAdvertBytes();
  }

  @Override
  public void close() {
    handshaker.close();
  }
}
