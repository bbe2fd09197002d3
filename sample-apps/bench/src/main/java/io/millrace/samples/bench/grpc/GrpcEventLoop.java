package io.millrace.samples.bench.grpc;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.SelectStrategy;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.millrace.samples.bench.peer.SpinGate;
import java.util.concurrent.TimeUnit;

/** The only event loop of a side and the channel types for this loop. */
final class GrpcEventLoop implements AutoCloseable {
  /** The HTTP/2 flow control window. */
  static final int WINDOW_BYTES = 4 << 20;

  /** The loop's behaviour without work, as text for the report. */
  static final String SETTINGS =
      "native epoll transport where available, with a loop polling without sleeping while a round"
          + " runs (SelectStrategy.BUSY_WAIT)";

  private final MultiThreadIoEventLoopGroup group;
  private final boolean epoll;

  private GrpcEventLoop(MultiThreadIoEventLoopGroup group, boolean epoll) {
    this.group = group;
    this.epoll = epoll;
  }

  static GrpcEventLoop open(SpinGate gate) {
    boolean epoll = Epoll.isAvailable();
    IoHandlerFactory handlers =
        epoll ? EpollIoHandler.newFactory(0, () -> whileOpen(gate)) : NioIoHandler.newFactory();
    MultiThreadIoEventLoopGroup group =
        new MultiThreadIoEventLoopGroup(
            1, Thread.ofPlatform().daemon().name("bench-grpc").factory(), handlers);
    return new GrpcEventLoop(group, epoll);
  }

  MultiThreadIoEventLoopGroup group() {
    return group;
  }

  EventLoop loop() {
    return group.next();
  }

  Class<? extends Channel> channelType() {
    return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  Class<? extends ServerChannel> serverChannelType() {
    return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  @Override
  public void close() {
    var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private static SelectStrategy whileOpen(SpinGate gate) {
    return (select, hasTasks) -> {
      if (hasTasks) {
        return select.get();
      }
      return gate.isOpen() ? SelectStrategy.BUSY_WAIT : SelectStrategy.SELECT;
    };
  }
}
