package io.millrace.samples.bench.rsocket;

import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.PeerSite;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketServer;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import java.time.Duration;
import java.util.Objects;
import reactor.netty.tcp.TcpServer;

/** Returns every payload unchanged, and counts channels. */
final class RSocketEchoServer implements BenchServer {
  private static final Duration START = Duration.ofSeconds(20);

  private final OneLoop loop;
  private final CloseableChannel channel;

  private RSocketEchoServer(OneLoop loop, CloseableChannel channel) {
    this.loop = loop;
    this.channel = channel;
  }

  static RSocketEchoServer open(PeerSite site) {
    OneLoop loop = new OneLoop(site.gate());
    TcpServer tcp = TcpServer.create().host("127.0.0.1").port(0).runOn(loop, true);
    CloseableChannel channel =
        RSocketServer.create(SocketAcceptor.with(new RSocketService()))
            .payloadDecoder(PayloadDecoder.ZERO_COPY)
            .bind(TcpServerTransport.create(tcp))
            .block(START);
    return new RSocketEchoServer(loop, Objects.requireNonNull(channel));
  }

  @Override
  public String address() {
    return Integer.toString(channel.address().getPort());
  }

  @Override
  public void close() {
    channel.dispose();
    loop.dispose();
  }
}
