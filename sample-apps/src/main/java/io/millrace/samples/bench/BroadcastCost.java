package io.millrace.samples.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.millrace.actor.body.ArraySource;
import io.millrace.api.DeliveryOutcome;
import io.millrace.api.Destination;
import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.DataKeys;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.RecordRange;
import io.millrace.crypto.RecordSealer;
import io.millrace.crypto.Records;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Compares what a broadcast costs the sending process with a bulk write to each peer, in processor
 * time for each byte and peer, in interleaved rounds; and with what the costs of sealing and of all
 * else, measured in the same run, let expect.
 *
 * <p>Arguments: peers, bytes of the payload, rounds; a third of the rounds warms up.
 */
public final class BroadcastCost {
  private static final int REPEATS = 10;
  private static final int PIECE_BYTES = 8 << 20;
  private static final int PIECE_REPEATS = 20;
  private static final int WARM_UPS = 3;

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final Transport node;
  private final List<Peer> peers = new ArrayList<>();
  private final byte[] payload;

  private BroadcastCost(Transport node, String[] addresses, int bytes) {
    this.node = node;
    payload = new byte[bytes];
    for (String address : addresses) {
      peers.add(node.peer(address));
      peers.getLast().connect().join();
    }
  }

  /** Starts the peers in a process of their own, measures, and prints a line. */
  public static void main(String[] args) throws IOException {
    int rounds = Integer.parseInt(args[2]);
    Process child =
        new ProcessBuilder(sink(args[0])).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (Transport node = BroadcastSink.start();
        BufferedReader told =
            new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8))) {
      String[] words = String.valueOf(told.readLine()).split(" ", -1);
      String[] addresses = Arrays.copyOfRange(words, 1, words.length);
      new BroadcastCost(node, addresses, Integer.parseInt(args[1])).measure(rounds);
    } finally {
      child.destroy();
    }
  }

  private static List<String> sink(String nodes) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(BroadcastSink.class.getName(), nodes));
    return command;
  }

  private void measure(int rounds) {
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
    print(median(each, rounds), median(shared, rounds), sealing);
  }

  private void print(double each, double shared, double sealing) {
    double ratio = shared / each;
    double composed = (each - sealing + sealing / peers.size()) / each;
    System.out.printf(
        "%d peers, %d B: to each %.3f ns/B, broadcast %.3f ns/B, ratio %.3f;"
            + " sealing %.3f ns/B, which composes to a ratio of %.3f;"
            + " gain %.2f of the composed one; %d records sealed in all%n",
        peers.size(),
        payload.length,
        each,
        shared,
        ratio,
        sealing,
        composed,
        composed / ratio,
        node.snapshot().buffers().recordsSealed());
  }

  private static double median(double[] all, int rounds) {
    double[] measured = Arrays.copyOfRange(all, rounds / 3, rounds);
    Arrays.sort(measured);
    return measured[measured.length / 2];
  }

  private double spentNs(Runnable work) {
    long beforeNs = system.getProcessCpuTime();
    for (int i = 0; i < REPEATS; i++) {
      work.run();
    }
    double bytes = (double) REPEATS * peers.size() * payload.length;
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
    var begun = node.broadcast(BroadcastSink.ROUTE, source, new byte[0], destinations);
    for (DeliveryOutcome outcome : begun.outcomes().join()) {
      if (!outcome.isDelivered()) {
        throw new IllegalStateException(outcome.toString());
      }
    }
  }

  /** Of one byte, by the provider that the nodes seal records with. */
  private static double sealingNs() {
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    AeadProvider aead = AeadProviders.discover().select(Records.RECORD_BYTES);
    byte[] plain = new byte[PIECE_BYTES];
    byte[] sealed = new byte[Records.RECORD_BYTES + Records.TAG_BYTES];
    // known keys will do: nobody reads what they seal
    try (DataKeys keys = new DataKeys(AesKeySize.AES_128, KeyLimits.DEFAULT, 1, new Random(1));
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
