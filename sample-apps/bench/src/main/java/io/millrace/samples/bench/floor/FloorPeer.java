package io.millrace.samples.bench.floor;

import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.PeerSite;
import io.millrace.samples.bench.peer.Workload;

/**
 * Sealing and datagrams without a protocol: the most that a transport of encrypted bulk can reach
 * where each side has one core. The better variant stands for the family.
 *
 * @param name the name in the report
 * @param pipelined whether sealing and sending run at once and are measured together, or each
 *     alone, with the sum by arithmetic
 */
public record FloorPeer(String name, boolean pipelined) implements BenchPeer {
  @Override
  public String family() {
    return "floor";
  }

  @Override
  public String settings() {
    String records =
        "records of 64 KiB by AES-128-GCM of the JDK in heap arrays; trains through the UDP driver,"
            + " GSO and GRO where available; window "
            + FloorSender.WINDOW_BYTES
            + " B, for want of congestion control; ";
    return records
        + (pipelined
            ? "measured: the client seals, copies into trains and sends, the server receives,"
                + " copies out and opens"
            : "computed: 1 / max(seal + send, receive + open) of these four, sealing and opening"
                + " timed alone on both cores at once, then datagrams alone, with untouched"
                + " bytes");
  }

  @Override
  public String threads() {
    return "each side one thread that spins, floor-duty, for cipher and socket";
  }

  @Override
  public Completion completion() {
    return Completion.INLINE;
  }

  @Override
  public boolean runs(Workload workload) {
    return workload.isBulk();
  }

  @Override
  public BenchServer openServer(PeerSite site) throws Exception {
    return new FloorServer(site);
  }

  @Override
  public BenchClient openClient(PeerSite site, String address) throws Exception {
    return new FloorClient(site, address, pipelined);
  }
}
