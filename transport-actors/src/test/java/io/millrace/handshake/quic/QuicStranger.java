package io.millrace.handshake.quic;

import io.millrace.handshake.HandshakeNode;
import io.millrace.handshake.certificates.TestCertificates;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicClientCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicStreamType;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** A client of QUIC outside the cluster, without the manners of a node. */
final class QuicStranger implements AutoCloseable {
  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Channel udp;
  private final QuicSslContext tls;

  /**
   * A client that keeps sessions, to resume the sessions if possible.
   *
   * @param own the certificate that the client shows, or null for no certificate
   */
  QuicStranger(TestCertificates trusted, TestCertificates.@Nullable Issued own, String... protocols)
      throws Exception {
    QuicSslContextBuilder builder =
        QuicSslContextBuilder.forClient()
            .trustManager(trusted.certificate())
            .endpointIdentificationAlgorithm(null)
            .earlyData(true)
            .applicationProtocols(protocols);
    if (own != null) {
      builder.keyManager(
          own.keys().getPrivate(), null, own.chain().toArray(X509Certificate[]::new));
    }
    tls = builder.build();
    udp =
        new Bootstrap()
            .group(group)
            .channel(NioDatagramChannel.class)
            .handler(
                new QuicClientCodecBuilder()
                    .sslEngineProvider(
                        channel -> tls.newEngine(channel.alloc(), "stranger.example.org", 1))
                    .maxIdleTimeout(60, TimeUnit.SECONDS)
                    .initialMaxData(1 << 20)
                    .initialMaxStreamDataBidirectionalLocal(1 << 16)
                    .build())
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
  }

  /** A connection; the connection may end before the node has judged this client. */
  QuicChannel connect(HandshakeNode to) throws Exception {
    return QuicChannel.newBootstrap(udp)
        .streamHandler(new ChannelInboundHandlerAdapter())
        .remoteAddress(to.address())
        .connect()
        .get(60, TimeUnit.SECONDS);
  }

  /** Sends bytes on a stream; the answer is empty if the connection ends without an answer. */
  static CompletableFuture<byte[]> send(QuicChannel connection, byte[] bytes) throws Exception {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    connection.closeFuture().addListener(closed -> answer.complete(new byte[0]));
    QuicStreamChannel stream =
        connection
            .createStream(
                QuicStreamType.BIDIRECTIONAL,
                new ChannelInboundHandlerAdapter() {
                  @Override
                  public void channelRead(ChannelHandlerContext ctx, Object message) {
                    ByteBuf buffer = (ByteBuf) message;
                    byte[] read = new byte[buffer.readableBytes()];
                    buffer.readBytes(read);
                    buffer.release();
                    answer.complete(read);
                  }
                })
            .get(60, TimeUnit.SECONDS);
    var _ = stream.writeAndFlush(Unpooled.wrappedBuffer(bytes));
    return answer;
  }

  /** Whether TLS has resumed a session; Netty does not publish the answer. */
  static boolean isResumed(QuicChannel connection) throws Exception {
    SSLEngine engine = Objects.requireNonNull(connection.sslEngine());
    var asked = engine.getClass().getDeclaredMethod("isSessionReused");
    asked.setAccessible(true);
    return (boolean) asked.invoke(engine);
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS).awaitUninterruptibly();
  }
}
