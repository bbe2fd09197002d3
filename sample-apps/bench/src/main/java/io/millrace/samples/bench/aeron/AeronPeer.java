package io.millrace.samples.bench.aeron;

import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.PeerSite;
import io.millrace.samples.bench.peer.Workload;

/**
 * Aeron over UDP, in the clear, with the media driver embedded in each process.
 *
 * @param name the name in the report
 * @param mtuBytes the largest datagram payload of the publications
 */
public record AeronPeer(String name, int mtuBytes) implements BenchPeer {
  private static final int SMALL_MTU_BYTES = 1_408;

  @Override
  public String family() {
    return "aeron";
  }

  @Override
  public String settings() {
    return "UDP unicast on 127.0.0.1, not encrypted; MTU "
        + mtuBytes
        + " B; ThreadingMode.INVOKER with the client's agent invoker, so that driver, client and"
        + " application share one spinning thread and nothing is handed over; exclusive"
        + " publications with tryClaim, bulk in claims as long as a datagram carries; one stream"
        + " per direction; "
        + AeronNode.SETTINGS;
  }

  @Override
  public String threads() {
    return "each side one thread, aeron-duty: media driver, client conductor and application;"
        + " no idle strategy: the thread spins";
  }

  @Override
  public Completion completion() {
    return Completion.INLINE;
  }

  /** For bulk in datagrams of a given size the variant with the closest MTU takes part. */
  @Override
  public boolean runs(Workload workload) {
    return !workload.isBulk() || (workload == Workload.BULK) == (mtuBytes > SMALL_MTU_BYTES);
  }

  @Override
  public BenchServer openServer(PeerSite site) throws Exception {
    return AeronEchoServer.open(site, mtuBytes);
  }

  @Override
  public BenchClient openClient(PeerSite site, String address) throws Exception {
    return AeronUnaryClient.open(site, mtuBytes, AeronPorts.parse(address));
  }
}
