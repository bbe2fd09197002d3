package io.millrace.handshake.quic;

import io.millrace.crypto.HmacSha256;
import io.millrace.handshake.AdvertFrames;
import io.millrace.handshake.SourceLimits;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

/**
 * The handlers at the handshake address: the gate, the codec with retry tokens, a responder for
 * each connection. Peers may open a single stream and nothing else, resume nothing and move
 * nowhere. Event loop thread only.
 */
final class QuicServer extends ChannelInitializer<NioDatagramChannel> {
  private final QuicNode node;
  private final Admission admission;
  private final SourceLimits cards;

  QuicServer(QuicNode node, Admission admission, SourceLimits cards) {
    this.node = node;
    this.admission = admission;
    this.cards = cards;
  }

  @Override
  protected void initChannel(NioDatagramChannel channel) {
    RetryTokens tokens = tokens();
    channel.closeFuture().addListener(closed -> tokens.close());
    channel
        .pipeline()
        .addLast(new QuicCards(node, cards), new QuicGate(), codec(tokens), new LastHandler());
  }

  private ChannelHandler codec(RetryTokens tokens) {
    return new QuicServerCodecBuilder()
        .sslEngineProvider(node.tls()::serverEngine)
        .tokenHandler(tokens)
        .grease(false)
        .activeMigration(false)
        .localConnectionIdLength(RetryTokens.CONNECTION_ID_BYTES)
        .maxIdleTimeout(node.timeoutNs(), TimeUnit.NANOSECONDS)
        .initialMaxData(AdvertFrames.MAX_FRAME_BYTES)
        .initialMaxStreamDataBidirectionalRemote(AdvertFrames.MAX_FRAME_BYTES)
        .initialMaxStreamsBidirectional(1)
        .handler(
            new ChannelInitializer<QuicChannel>() {
              @Override
              protected void initChannel(QuicChannel connection) {
                node.guarded(() -> onOpened(connection));
              }
            })
        .streamHandler(
            new ChannelInitializer<QuicStreamChannel>() {
              @Override
              protected void initChannel(QuicStreamChannel stream) {
                onStream(stream);
              }
            })
        .build();
  }

  private RetryTokens tokens() {
    byte[] key = new byte[HmacSha256.LENGTH];
    new SecureRandom().nextBytes(key);
    return new RetryTokens(
        HmacSha256.ofDerived(key),
        node.timeoutNs(),
        System::nanoTime,
        address -> admission.isWelcome(address.getAddress(), System.nanoTime()));
  }

  private void onOpened(QuicChannel connection) {
    InetSocketAddress remote = (InetSocketAddress) connection.remoteSocketAddress();
    TlsFacts facts = connection.attr(TlsFacts.KEY).get();
    if (remote == null || facts == null) {
      QuicNode.closeSoon(connection);
      return;
    }
    InetAddress source = remote.getAddress();
    QuicResponder responder = new QuicResponder(node, connection, remote, facts);
    Admission.Place place = admission.onOpened(source, responder::onEvicted);
    connection.closeFuture().addListener(closed -> admission.onClosed(place));
    connection.attr(QuicResponder.KEY).set(responder);
    connection.pipeline().addLast(responder);
  }

  private static void onStream(QuicStreamChannel stream) {
    QuicResponder responder = stream.parent().attr(QuicResponder.KEY).get();
    if (responder == null) {
      QuicNode.closeSoon(stream.parent());
      return;
    }
    stream.pipeline().addLast(new AdvertStream(frame -> responder.onFrame(stream, frame)));
  }
}
