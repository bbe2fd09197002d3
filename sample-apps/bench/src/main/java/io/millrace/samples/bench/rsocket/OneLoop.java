package io.millrace.samples.bench.rsocket;

import io.millrace.samples.bench.peer.SpinGate;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SelectStrategy;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import reactor.netty.resources.LoopResources;

/** A single event loop for all work of Reactor Netty in this process. */
final class OneLoop implements LoopResources {
  private final EventLoopGroup group;

  OneLoop(SpinGate gate) {
    group = open(gate);
  }

  @Override
  public EventLoopGroup onServer(boolean useNative) {
    return group;
  }

  @Override
  public boolean daemon() {
    return true;
  }

  @Override
  public void dispose() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  EventLoop loop() {
    return group.next();
  }

  @SuppressWarnings("deprecation") // Reactor Netty 1.0 knows native groups by this class only
  private static EventLoopGroup open(SpinGate gate) {
    ThreadFactory threads = Thread.ofPlatform().daemon().name("bench-rsocket").factory();
    return Epoll.isAvailable()
        ? new EpollEventLoopGroup(1, threads, () -> whileOpen(gate))
        : new NioEventLoopGroup(1, threads);
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
