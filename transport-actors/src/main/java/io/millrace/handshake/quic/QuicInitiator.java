package io.millrace.handshake.quic;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.handshake.CertifiedExchange;
import io.millrace.handshake.KeyAgreement;
import io.millrace.handshake.certificates.AlertReasons;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicClosedChannelException;
import io.netty.handler.codec.quic.QuicConnectionCloseEvent;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicStreamType;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A handshake that this node began: a connection, the node's advert on a stream, the answer. TLS
 * may succeed here and fail there, because the peer judges this node's certificate last: only the
 * answer confirms a path. Ends in an outcome, once, at the latest when its time is over. Event loop
 * thread only.
 */
final class QuicInitiator extends ChannelInboundHandlerAdapter {
  private static final long NANOS_PER_MS = 1_000_000L;
  private static final String NOBODY = "nobody listens there: the network refuses datagrams";

  private final QuicNode node;
  private final InetSocketAddress remote;
  private final byte[] localAdvert;
  private final Consumer<HandshakeOutcome> onOutcome;
  private final Consumer<QuicInitiator> onEnd;
  private final TlsFacts facts;
  private @Nullable KeyAgreement agreement;
  private @Nullable Channel connection;
  private @Nullable Channel knocking;
  private @Nullable Future<?> deadline;
  private long epoch;
  private long sentNs;
  private boolean connected;
  private boolean ended;

  /**
   * A handshake that has not begun.
   *
   * @param onEnd told before {@code onOutcome}, so that the listener can forget this handshake
   */
  QuicInitiator(
      QuicNode node,
      InetSocketAddress remote,
      byte[] localAdvert,
      Consumer<HandshakeOutcome> onOutcome,
      Consumer<QuicInitiator> onEnd) {
    this.node = node;
    this.remote = remote;
    this.localAdvert = localAdvert;
    this.onOutcome = onOutcome;
    this.onEnd = onEnd;
    this.facts = new TlsFacts(remote);
  }

  /** Sends the first packet. */
  void start(Channel udp) {
    epoch = node.listener().epoch();
    deadline = udp.eventLoop().schedule(this::onDeadline, node.timeoutNs(), TimeUnit.NANOSECONDS);
    knock(udp);
    QuicChannel.newBootstrap(udp)
        .handler(this)
        .streamHandler(ClosedToPeers.INSTANCE)
        .attr(TlsFacts.KEY, facts)
        // The deadline of the whole handshake ends this, too.
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
        .remoteAddress(remote)
        .connect()
        .addListener(this::onConnected);
  }

  /**
   * Sends a meaningless byte from a separate socket, connected to the peer: the system tells such a
   * socket when the network says that nobody listens there.
   */
  private void knock(Channel udp) {
    new Bootstrap()
        .group(udp.eventLoop())
        .channel(NioDatagramChannel.class)
        .handler(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                if (cause instanceof PortUnreachableException) {
                  fail(NOBODY, HandshakeFailure.NO_ANSWER);
                }
              }
            })
        .connect(remote)
        .addListener(
            (ChannelFuture opened) -> {
              knocking = opened.channel();
              if (ended) {
                var _ = opened.channel().close();
              } else if (opened.isSuccess()) {
                var _ = opened.channel().writeAndFlush(Unpooled.wrappedBuffer(new byte[1]));
              }
            });
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    connection = ctx.channel();
    ctx.channel().closeFuture().addListener(closed -> onClosed(null));
  }

  private void onConnected(Future<? super QuicChannel> connecting) {
    if (connecting.isSuccess()) {
      connected = true;
      QuicChannel channel = (QuicChannel) connecting.getNow();
      agreement = KeyAgreement.ofInitiator(localAdvert, QuicNode.isHybrid(channel));
      channel
          .createStream(QuicStreamType.BIDIRECTIONAL, new AdvertStream(this::onAnswer))
          .addListener(this::onStream);
    } else {
      onBroken(connecting.cause());
    }
  }

  private void onStream(Future<? super QuicStreamChannel> creating) {
    KeyAgreement begun = agreement;
    if (creating.isSuccess() && begun != null) {
      sentNs = System.nanoTime();
      var _ =
          ((QuicStreamChannel) creating.getNow())
              .writeAndFlush(Unpooled.wrappedBuffer(begun.initiatorFrame()));
    } else {
      onBroken(creating.cause());
    }
  }

  private void onAnswer(byte @Nullable [] frame) {
    if (ended) {
      return;
    }
    long rttNs = Math.max(1, System.nanoTime() - sentNs);
    X509Certificate peer = facts.peer();
    KeyAgreement begun = agreement;
    if (peer == null || begun == null) {
      fail("the peer's certificate was not judged", HandshakeFailure.WRONG_CREDENTIALS);
      return;
    }
    byte[] advert = begun.onAnswer(frame).remote();
    switch (node.exchange().verdict(advert, peer, remote)) {
      case CertifiedExchange.Verdict.Failed failed -> end(failed.outcome());
      case CertifiedExchange.Verdict.Accepted accepted -> establish(begun, accepted.peer(), rttNs);
    }
  }

  private void establish(KeyAgreement done, HandshakeOutcome.Peer peer, long rttNs) {
    byte[] exported = QuicNode.export(facts, done);
    if (exported == null) {
      fail("this node's TLS has told no secret", HandshakeFailure.MALFORMED);
      return;
    }
    end(
        new HandshakeOutcome.Established(
            done.secret(exported),
            true,
            localAdvert,
            Objects.requireNonNull(done.remote()),
            peer,
            rttNs,
            epoch));
  }

  private void onBroken(@Nullable Throwable cause) {
    onClosed(cause instanceof QuicClosedChannelException closed ? closed.event() : null);
  }

  private void onClosed(@Nullable QuicConnectionCloseEvent event) {
    AlertReasons.Reason reason = QuicReasons.of(facts, event);
    fail(reason.text(), reason.cause());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof QuicConnectionCloseEvent closed) {
      onClosed(closed);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    onBroken(cause);
  }

  private void onDeadline() {
    String within = " within " + node.timeoutNs() / NANOS_PER_MS + " ms";
    fail(
        connected
            ? "the peer did not answer the advert" + within
            : "no answer" + within + ": nothing listens there by UDP, or it is no Millrace node",
        HandshakeFailure.NO_ANSWER);
  }

  /** Ends the handshake because this node closes. */
  void onClose() {
    fail("this node was closed during the handshake", HandshakeFailure.CLOSED);
  }

  private void fail(String reason, HandshakeFailure cause) {
    end(new HandshakeOutcome.Failed(reason, cause));
  }

  private void end(HandshakeOutcome outcome) {
    if (ended) {
      return;
    }
    ended = true;
    Future<?> scheduled = deadline;
    if (scheduled != null) {
      scheduled.cancel(false);
    }
    facts.close();
    KeyAgreement begun = agreement;
    if (begun != null) {
      begun.close();
    }
    onEnd.accept(this);
    Channel knocked = knocking;
    if (knocked != null) {
      var _ = knocked.close();
    }
    Channel open = connection;
    if (open != null) {
      QuicNode.closeSoon(open);
    }
    node.guarded(() -> onOutcome.accept(outcome));
  }
}
