package io.millrace.handshake.quic;

import io.millrace.crypto.HandshakeOutcome;
import io.millrace.handshake.CertifiedExchange;
import io.millrace.handshake.KeyAgreement;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicConnectionCloseEvent;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection that a peer opened: TLS, the peer's advert, the answer. The peer closes the
 * connection after the answer; without a close, the time of the handshake ends the connection.
 * Event loop thread only.
 */
final class QuicResponder extends ChannelInboundHandlerAdapter {
  /** The attribute of a connection's responder. */
  static final AttributeKey<QuicResponder> KEY =
      AttributeKey.valueOf(QuicResponder.class, "responder");

  private final QuicNode node;
  private final QuicChannel connection;
  private final InetSocketAddress remote;
  private final TlsFacts facts;
  private final long openedNs;
  private final long epoch;
  private long rttNs = 1;
  private @Nullable QuicConnectionCloseEvent closed;
  private boolean answered;

  /** Of a connection whose first packet is about to be looked at. */
  QuicResponder(QuicNode node, QuicChannel connection, InetSocketAddress remote, TlsFacts facts) {
    this.node = node;
    this.connection = connection;
    this.remote = remote;
    this.facts = facts;
    this.openedNs = System.nanoTime();
    // Before the key exchange, for which the first packet is needed.
    this.epoch = node.listener().epoch();
    Future<?> deadline =
        connection
            .eventLoop()
            .schedule(() -> QuicNode.closeSoon(connection), node.timeoutNs(), TimeUnit.NANOSECONDS);
    connection
        .closeFuture()
        .addListener(
            done -> {
              deadline.cancel(false);
              onEnd();
            });
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent completion && completion.isSuccess()) {
      rttNs = Math.max(1, System.nanoTime() - openedNs);
      if (facts.peer() == null) {
        // A session was resumed: nobody has shown a certificate.
        QuicNode.closeSoon(connection);
      }
    } else if (event instanceof QuicConnectionCloseEvent how) {
      closed = how;
      // The peer is done, or has given up: nothing is left to wait for.
      QuicNode.closeSoon(connection);
    }
  }

  private void onEnd() {
    boolean nodeIsOpen = connection.parent().isOpen();
    if (!answered && nodeIsOpen) {
      refused(QuicReasons.of(facts, closed).text());
    }
  }

  /** A newer connection needs the room. */
  void onEvicted() {
    QuicNode.closeSoon(connection);
    if (!answered) {
      answered = true;
      refused("it was too slow: newer connections needed the room");
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    QuicNode.closeSoon(connection);
  }

  /** The frame from the peer's stream; null if the bytes are no frame. */
  void onFrame(QuicStreamChannel stream, byte @Nullable [] frame) {
    X509Certificate peer = facts.peer();
    if (answered || peer == null) {
      // The reason is told when the connection has ended.
      QuicNode.closeSoon(connection);
      return;
    }
    answered = true;
    try (KeyAgreement agreement = KeyAgreement.ofResponder(frame, QuicNode.isHybrid(connection))) {
      CertifiedExchange.Answer answer = node.exchange().answer(agreement.remote(), peer, remote);
      byte[] sent = answer.frame();
      switch (answer) {
        case CertifiedExchange.Answer.Refused refused -> {
          if (refused.refusal() != null) {
            refused(refused.refusal());
          }
        }
        case CertifiedExchange.Answer.Accepted accepted -> {
          sent = agreement.responderFrame(accepted.frame());
          establish(agreement, accepted);
        }
      }
      // After the path exists: the peer's packets may overtake the next steps here.
      var _ = stream.writeAndFlush(Unpooled.wrappedBuffer(sent));
    } catch (RuntimeException | Error e) {
      node.report(e);
      QuicNode.closeSoon(connection);
    }
  }

  private void establish(KeyAgreement agreement, CertifiedExchange.Answer.Accepted accepted) {
    byte[] exported = QuicNode.export(facts, agreement);
    if (exported == null) {
      throw new IllegalStateException(
          "TLS has told no secret of a connection that is authenticated");
    }
    HandshakeOutcome.Established path =
        new HandshakeOutcome.Established(
            agreement.secret(exported),
            false,
            accepted.frame(),
            Objects.requireNonNull(agreement.remote()),
            accepted.peer(),
            rttNs,
            epoch);
    // If this throws the peer is told nothing: there is no path here.
    node.listener().onEstablished(path);
  }

  private void refused(String reason) {
    node.guarded(() -> node.listener().onRefused(remote, reason));
  }
}
