package io.millrace.samples.bench;

import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.PeerSite;

/** A peer that only describes itself. */
record FakePeer(String name, String family) implements BenchPeer {
  @Override
  public String settings() {
    return "settings of " + name;
  }

  @Override
  public String threads() {
    return "threads of " + name;
  }

  @Override
  public Completion completion() {
    return Completion.EXECUTOR;
  }

  @Override
  public BenchServer openServer(PeerSite site) {
    throw new IllegalStateException("not in this process");
  }

  @Override
  public BenchClient openClient(PeerSite site, String address) {
    throw new IllegalStateException("not in this process");
  }
}
