package io.millrace.samples.bench;

import io.millrace.api.Broadcast;
import io.millrace.api.Delivery;
import io.millrace.api.DeliveryOutcome;
import io.millrace.api.Destination;
import io.millrace.api.Transport;
import io.millrace.api.TransportSnapshot.Buffers;
import io.millrace.body.ArraySource;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Broadcasts to a crowd with two dead peers and a slow peer. Reports the end of each transfer, and
 * the time until the last fast peer has all bytes, beside broadcasts to the fast peers alone.
 */
final class BroadcastCrowd {
  /** The number of dead peers. */
  static final int DEAD = 2;

  private static final int SLOW = 1;
  private static final int ROUNDS = 4;

  private final Transport node;
  private final List<String> addresses;
  private final byte[] payload;
  private final PrintStream out;

  /**
   * A crowd of fast peers, a slow peer and dead peers.
   *
   * @param addresses of living peers; the first peer is the slow one, and the dead peers replace
   *     the last peers of the list
   * @param out receives the printed lines
   */
  BroadcastCrowd(Transport node, List<String> addresses, int bytes, PrintStream out) {
    this.out = out;
    this.node = node;
    this.addresses = addresses.subList(0, addresses.size() - DEAD);
    payload = new byte[bytes];
  }

  /**
   * Broadcasts in turns to the fast peers alone and to all peers, each time right after the kill of
   * a process with two peers. Prints a line on the fast peers and a line for each kind of end.
   */
  void run() throws IOException, InterruptedException {
    double[] aloneMs = new double[ROUNDS];
    double[] crowdMs = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      aloneMs[i] = aloneMs();
      crowdMs[i] = crowdMs();
    }
    out.printf(
        "the fast peers had all bytes after %s ms, alone after %s ms%n",
        rounded(crowdMs), rounded(aloneMs));
  }

  private static List<Long> rounded(double[] ms) {
    return Arrays.stream(ms).mapToObj(Math::round).toList();
  }

  /** Starts two peers, connects the node to both, and kills their process. */
  private List<String> killed() throws IOException, InterruptedException {
    try (SinkProcess dying = SinkProcess.start(DEAD)) {
      dying.addresses().forEach(address -> node.peer(address).connect().join());
      dying.kill();
      return dying.addresses();
    }
  }

  private double aloneMs() throws IOException, InterruptedException {
    killed();
    double[] endMs = new double[addresses.size() - SLOW];
    send(addresses.subList(SLOW, addresses.size()), Headers.EMPTY, endMs);
    return lastMs(endMs, 0, endMs.length);
  }

  private double crowdMs() throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(addresses);
    all.addAll(killed());
    Buffers before = node.snapshot().buffers();
    double[] endMs = new double[all.size()];
    List<DeliveryOutcome> outcomes = send(all, BroadcastSink.SLOWLY, endMs);
    Buffers after = node.snapshot().buffers();
    out.printf(
        "crowd of %d: %d records sealed, %d allocations, %d B held at the end%n",
        all.size(),
        after.recordsSealed() - before.recordsSealed(),
        after.allocations() - before.allocations(),
        after.usedBytes());
    print("fast", outcomes, endMs, SLOW, addresses.size());
    print("slow", outcomes, endMs, 0, SLOW);
    print("dead", outcomes, endMs, addresses.size(), all.size());
    return lastMs(endMs, SLOW, addresses.size());
  }

  /**
   * Broadcasts, and returns all outcomes; {@code endMs} receives the end of each transfer, ms after
   * the beginning.
   */
  private List<DeliveryOutcome> send(List<String> to, Headers headers, double[] endMs) {
    List<Destination> destinations =
        to.stream().map(address -> Destination.of(node.peer(address))).toList();
    long startNs = System.nanoTime();
    Broadcast broadcast =
        node.broadcast(
            BroadcastSink.ROUTE,
            new ArraySource(payload, 0, payload.length),
            headers,
            Protection.SEALED,
            destinations);
    List<CompletableFuture<Void>> noted = new ArrayList<>();
    for (Delivery delivery : broadcast.deliveries()) {
      int index = noted.size();
      noted.add(
          delivery.outcome().thenRun(() -> endMs[index] = (System.nanoTime() - startNs) / 1e6));
    }
    noted.forEach(CompletableFuture::join);
    return broadcast.outcomes().join();
  }

  private static double lastMs(double[] endMs, int from, int until) {
    return Arrays.stream(endMs, from, until).max().orElse(0);
  }

  private void print(
      String who, List<DeliveryOutcome> outcomes, double[] endMs, int from, int until) {
    Map<String, Integer> ends = new TreeMap<>();
    for (DeliveryOutcome outcome : outcomes.subList(from, until)) {
      ends.merge(outcome.outcome().name(), 1, Integer::sum);
    }
    out.printf("  %s: %s, the last after %.0f ms%n", who, ends, lastMs(endMs, from, until));
  }
}
