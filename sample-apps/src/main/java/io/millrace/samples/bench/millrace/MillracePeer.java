package io.millrace.samples.bench.millrace;

import io.millrace.samples.bench.BenchClient;
import io.millrace.samples.bench.BenchPeer;
import io.millrace.samples.bench.BenchServer;
import io.millrace.samples.bench.PeerCatalog;
import io.millrace.samples.bench.PeerSite;
import io.millrace.samples.bench.Workload;

/**
 * Millrace over UDP, encrypted as always, its workers driven by the application's thread.
 *
 * @param name the name in the report
 * @param bulk the bulk that it takes part in, which says how large its datagrams may be
 */
public record MillracePeer(String name, Workload bulk) implements BenchPeer {
  @Override
  public String family() {
    return PeerCatalog.MILLRACE;
  }

  @Override
  public String settings() {
    return "UDP on 127.0.0.1, every packet sealed with AES-128-GCM; idle strategy CALLER_RUNS, so"
        + " that worker and application share one spinning thread, which is the executor, too;"
        + " calls completed and served on the worker; bulk is one write of unknown length from"
        + " memory; datagrams as large as the path carries, at most "
        + bulk.datagramBytes()
        + " B; all else default";
  }

  @Override
  public String threads() {
    return "each side one thread that spins, millrace-duty: worker, application and executor; the"
        + " actor system's and the handshake's threads sleep";
  }

  @Override
  public Completion completion() {
    return Completion.INLINE;
  }

  @Override
  public boolean runs(Workload workload) {
    return workload.isBulk() ? workload == bulk : name.equals(PeerCatalog.MILLRACE);
  }

  @Override
  public BenchServer openServer(PeerSite site) {
    return new MillraceEchoServer(site, bulk.datagramBytes());
  }

  @Override
  public BenchClient openClient(PeerSite site, String address) {
    return new MillraceUnaryClient(site, bulk.datagramBytes(), address);
  }
}
