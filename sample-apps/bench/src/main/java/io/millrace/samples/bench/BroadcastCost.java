package io.millrace.samples.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.millrace.api.DeliveryOutcome;
import io.millrace.api.Destination;
import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.TransportSnapshot.Buffers;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.ArraySource;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.DataKeys;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.RecordRange;
import io.millrace.crypto.RecordSealer;
import io.millrace.crypto.Records;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Measures the processor time of a broadcast in the sending process, and of a bulk write to each
 * peer, for each byte and peer. Rounds are interleaved, and a third of the rounds warms up.
 */
final class BroadcastCost {
  private static final int PIECE_BYTES = 8 << 20;
  private static final int PIECE_REPEATS = 20;
  private static final int WARM_UPS = 3;

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final Transport node;
  private final List<Peer> peers = new ArrayList<>();
  private final byte[] payload;
  private final int repeats;

  /**
   * The measured times, ns for each byte and peer.
   *
   * @param each of a bulk write to each peer
   * @param shared of broadcasts
   * @param sealing of sealing the payload, timed alone in the same process
   */
  record Costs(double each, double shared, double sealing) {
    /** The cost of a broadcast as a share of the cost of writing to each peer. */
    double ratio() {
      return shared / each;
    }

    /** The expected ratio if a broadcast seals once instead of for each peer. */
    double composed(int peers) {
      return (each - sealing + sealing / peers) / each;
    }
  }

  /**
   * Connects to all peers.
   *
   * @param roundBytes bytes that a round sends to all peers together, at least one payload
   */
  BroadcastCost(Transport node, List<String> addresses, int bytes, long roundBytes) {
    this.node = node;
    payload = new byte[bytes];
    repeats = (int) Math.max(1, roundBytes / ((long) addresses.size() * bytes));
    for (String address : addresses) {
      peers.add(node.peer(address));
      peers.getLast().connect().join();
    }
  }

  Costs measure(int rounds) {
    double sealing = 0;
    for (int i = 0; i < WARM_UPS; i++) {
      sealing = sealingNs();
    }
    double[] each = new double[rounds];
    double[] shared = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      if (i % 2 == 0) {
        each[i] = spentNs(this::writeToEach);
      }
      shared[i] = spentNs(this::broadcast);
      if (i % 2 != 0) {
        each[i] = spentNs(this::writeToEach);
      }
    }
    return new Costs(median(each, rounds), median(shared, rounds), sealing);
  }

  /** The increase of the sender's counters during one round of each kind. */
  String counters() {
    return "one round of writing to each: %s; one broadcast: %s"
        .formatted(counted(this::writeToEach), counted(this::broadcast));
  }

  /** The increase of the node's counters during {@code work}. */
  private String counted(Runnable work) {
    Buffers before = node.snapshot().buffers();
    work.run();
    Buffers after = node.snapshot().buffers();
    return (after.recordsSealed() - before.recordsSealed())
        + " records sealed, "
        + (after.allocations() - before.allocations())
        + " allocations";
  }

  private static double median(double[] all, int rounds) {
    double[] measured = Arrays.copyOfRange(all, rounds / 3, rounds);
    Arrays.sort(measured);
    return measured[measured.length / 2];
  }

  private double spentNs(Runnable work) {
    long beforeNs = system.getProcessCpuTime();
    for (int i = 0; i < repeats; i++) {
      work.run();
    }
    double bytes = (double) repeats * peers.size() * payload.length;
    return (system.getProcessCpuTime() - beforeNs) / bytes;
  }

  private void writeToEach() {
    List<CompletableFuture<BulkReceipt>> all = new ArrayList<>();
    for (Peer peer : peers) {
      all.add(
          peer.bulkWrite(
              BroadcastSink.ROUTE,
              new ArraySource(payload, 0, payload.length),
              TransferOptions.DEFAULTS));
    }
    all.forEach(CompletableFuture::join);
  }

  private void broadcast() {
    ArraySource source = new ArraySource(payload, 0, payload.length);
    List<Destination> destinations = peers.stream().map(Destination::of).toList();
    var begun = node.broadcast(BroadcastSink.ROUTE, source, destinations);
    for (DeliveryOutcome outcome : begun.outcomes().join()) {
      if (!outcome.isDelivered()) {
        throw new IllegalStateException(outcome.toString());
      }
    }
  }

  /** The time to seal one byte, by the provider that the nodes seal records with. */
  private static double sealingNs() {
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    AeadProvider aead = AeadProviders.discover().select(Records.RECORD_BYTES);
    byte[] plain = new byte[PIECE_BYTES];
    byte[] sealed = new byte[Records.RECORD_BYTES + Records.TAG_BYTES];
    // public keys suffice: nobody reads the sealed bytes
    try (DataKeys keys =
            new DataKeys(AesKeySize.AES_128, KeyLimits.DEFAULT, 1, Long.MAX_VALUE, new Random(1));
        RecordSealer sealer = new RecordSealer(aead, 1)) {
      long startNs = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < PIECE_REPEATS; i++) {
        sealAll(keys, sealer, plain, sealed);
      }
      return (threads.getCurrentThreadCpuTime() - startNs) / ((double) PIECE_REPEATS * PIECE_BYTES);
    }
  }

  private static void sealAll(DataKeys keys, RecordSealer sealer, byte[] plain, byte[] sealed) {
    for (int at = 0; at < PIECE_BYTES; at += Records.RECORD_BYTES) {
      try (RecordRange range = keys.reserve("piece", 1)) {
        sealer.seal(range, plain, at, Records.RECORD_BYTES, sealed, 0);
      }
    }
  }
}
