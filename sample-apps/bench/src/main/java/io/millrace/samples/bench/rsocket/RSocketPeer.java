package io.millrace.samples.bench.rsocket;

import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.PeerSite;
import java.util.List;

/** rsocket-java's request-response over TCP, in the clear. */
public final class RSocketPeer implements BenchPeer {
  @Override
  public String name() {
    return "rsocket";
  }

  @Override
  public String settings() {
    return "request-response over TCP on 127.0.0.1, one connection, not encrypted; zero-copy"
        + " payload decoder; the server returns the received payload; bulk is a"
        + " request-channel with payloads of 256 KiB, sent from one direct buffer without a"
        + " copy, "
        + RSocketService.AHEAD
        + " payloads asked for ahead; pooled buffers; calls"
        + " begin on the event loop; native epoll transport where available, with a loop"
        + " polling without sleeping while a round runs (SelectStrategy.BUSY_WAIT)";
  }

  @Override
  public String threads() {
    return "each side one event loop thread, bench-rsocket, for network, frames and application";
  }

  @Override
  public Completion completion() {
    return Completion.INLINE;
  }

  @Override
  public List<String> jvmFlags() {
    return List.of(
        "-Dio.netty.leakDetection.level=disabled",
        "-Dio.netty.buffer.checkBounds=false",
        "-Dio.netty.buffer.checkAccessible=false");
  }

  @Override
  public BenchServer openServer(PeerSite site) {
    return RSocketEchoServer.open(site);
  }

  @Override
  public BenchClient openClient(PeerSite site, String address) {
    return RSocketUnaryClient.open(site, Integer.parseInt(address));
  }
}
