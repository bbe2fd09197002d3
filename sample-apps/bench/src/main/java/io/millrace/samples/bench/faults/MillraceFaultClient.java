package io.millrace.samples.bench.faults;

import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.WorkerSnapshot;
import io.millrace.api.bulk.BulkSource;
import io.millrace.event.PeerHealthChange;
import io.millrace.event.TransportEvents;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.util.ByteString;

/** Calls by futures, the servers in turn. */
final class MillraceFaultClient implements FaultClient {
  /** The reason for a missing row of two drivers. */
  static final String NO_FABRIC = "fabric:tcp does not work here, see millrace info";

  private static final TransferOptions OPTIONS =
      TransferOptions.DEFAULTS.withDeadline(Duration.ofSeconds(DEADLINE_SECONDS));
  private static final String PREFERRED = "fabric:tcp";

  private final FaultTopology topology;
  private final Transport node;
  private final List<Peer> peers;
  private final AtomicInteger next = new AtomicInteger();
  private final ConcurrentLinkedQueue<Told> told = new ConcurrentLinkedQueue<>();

  MillraceFaultClient(FaultSite site) throws IOException {
    topology = site.topology();
    node = Transport.builder(MillraceFaultNode.settings(site)).events(new Listening(told)).start();
    if (topology == FaultTopology.FABRIC
        && carried().stream().noneMatch(each -> each.name().endsWith(PREFERRED))) {
      throw new IOException(NO_FABRIC);
    }
    peers =
        site.ports().stream()
            .map(port -> node.peer(FaultSite.SERVER_HOSTS.getFirst() + ":" + port))
            .toList();
  }

  @Override
  public void connect() {
    peers.forEach(peer -> peer.connect().join());
  }

  @Override
  public void call(byte[] request, Ending ending) {
    Peer peer = peers.get(Math.floorMod(next.getAndIncrement(), peers.size()));
    CompletableFuture<?> call =
        topology == FaultTopology.FABRIC
            ? peer.bulkWrite(MillraceFaultNode.BULK, BulkSource.of(request), OPTIONS)
            : peer.unary(MillraceFaultNode.ECHO, ByteString.fromArrayUnsafe(request), OPTIONS);
    var _ =
        call.whenComplete(
            (answer, failure) ->
                ending.onEnd(failure == null ? "" : String.valueOf(failure.getMessage())));
  }

  @Override
  public List<Told> told() {
    return List.copyOf(told);
  }

  @Override
  public List<Carried> carried() {
    Map<String, Carried> sums = new LinkedHashMap<>();
    for (WorkerSnapshot worker : node.snapshot().workers()) {
      for (WorkerSnapshot.Nic nic : worker.nics()) {
        Carried one =
            new Carried(nic.nic() + "/" + nic.driver(), nic.bytesSent(), nic.bytesReceived());
        sums.merge(one.name(), one, MillraceFaultClient::sum);
      }
    }
    return new ArrayList<>(sums.values());
  }

  private static Carried sum(Carried one, Carried other) {
    return new Carried(
        one.name(),
        one.bytesSent() + other.bytesSent(),
        one.bytesReceived() + other.bytesReceived());
  }

  /** Keeps events of peers and NICs. */
  private record Listening(ConcurrentLinkedQueue<Told> told) implements TransportEvents {
    private void add(String what) {
      told.add(new Told(System.nanoTime(), what));
    }

    @Override
    public void onPeerHealth(PeerHealthChange change) {
      add(
          "health of "
              + change.peer()
              + ": "
              + change.from()
              + " to "
              + change.to()
              + ", "
              + change.cause());
    }

    @Override
    public void onHandshakeFailed(String peer, String reason) {
      add("handshake with " + peer + " failed: " + reason);
    }

    @Override
    public void onPathClosed(int worker, String peer, long pathId, String reason) {
      add("path to " + peer + " closed: " + reason);
    }

    @Override
    public void onPathOpened(int worker, String peer, long pathId) {
      add("path to " + peer + " opened");
    }

    @Override
    public void onNicChanged(int worker, String nic, boolean isUp) {
      add("worker " + worker + " sees NIC " + nic + (isUp ? " up" : " down"));
    }

    @Override
    public void onRailChanged(int worker, String peer, int endpoint, String family) {
      add("path to " + peer + " uses endpoint " + endpoint + ", " + family);
    }
  }
}
