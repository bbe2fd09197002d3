package io.millrace.samples.bench.floor;

import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.PeerSite;
import io.millrace.samples.bench.peer.Workload;

/**
 * Datagrams to and fro without a protocol: the least that a round trip between two cores takes by
 * the UDP driver.
 */
public record FloorRttPeer() implements BenchPeer {
  @Override
  public String name() {
    return "floor-rtt";
  }

  @Override
  public String family() {
    return "floor";
  }

  @Override
  public String settings() {
    return "one datagram to and fro through the UDP driver, in the clear, without repair of losses";
  }

  @Override
  public String threads() {
    return "each side one thread that spins, floor-duty, for the socket";
  }

  @Override
  public Completion completion() {
    return Completion.INLINE;
  }

  @Override
  public boolean runs(Workload workload) {
    return workload == Workload.UNARY_RTT_32B;
  }

  @Override
  public BenchServer openServer(PeerSite site) throws Exception {
    return new FloorEcho(site);
  }

  @Override
  public BenchClient openClient(PeerSite site, String address) throws Exception {
    return new FloorPing(site, address);
  }
}
