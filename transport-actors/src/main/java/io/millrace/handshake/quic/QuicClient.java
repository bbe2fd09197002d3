package io.millrace.handshake.quic;

import io.millrace.handshake.AdvertFrames;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.quic.QuicClientCodecBuilder;
import java.util.concurrent.TimeUnit;

/** The handlers of the port from which this node calls peers: responders may open no stream. */
final class QuicClient {
  private QuicClient() {}

  static ChannelHandler initializer(QuicNode node) {
    return new ChannelInitializer<NioDatagramChannel>() {
      @Override
      protected void initChannel(NioDatagramChannel channel) {
        channel.pipeline().addLast(codec(node), new LastHandler());
      }
    };
  }

  private static ChannelHandler codec(QuicNode node) {
    return new QuicClientCodecBuilder()
        .sslEngineProvider(node.tls()::clientEngine)
        .grease(false)
        .activeMigration(false)
        .maxIdleTimeout(node.timeoutNs(), TimeUnit.NANOSECONDS)
        .initialMaxData(AdvertFrames.MAX_FRAME_BYTES)
        .initialMaxStreamDataBidirectionalLocal(AdvertFrames.MAX_FRAME_BYTES)
        .build();
  }
}
