package io.millrace.samples.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.api.Transport;
import io.millrace.samples.bench.BenchOptions.BadArgumentException;
import io.millrace.samples.bench.BroadcastCost.Costs;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code millrace bench broadcast}: the processor time of a broadcast beside the time of a bulk
 * write to each peer, and beside the time that JMH's pieces, measured in the same run, predict.
 *
 * @param peers the number of nodes in another process
 * @param bytes the size of the payload
 * @param rounds rounds of each kind, in turns; a third warms up
 * @param quick whether to only try the command: short rounds, short pieces
 * @param crowd whether to show the effect of dead and slow peers on the other peers, too
 * @param json whether the last line is a JSON object
 */
record BroadcastCommand(
    int peers, int bytes, int rounds, boolean quick, boolean crowd, boolean json) {
  static final String USAGE =
      """
      millrace bench broadcast [options]
        --peers N           nodes that get the payload, in another process (default 64)
        --size BYTES        bytes of the payload (default 1048576)
        --rounds N          turns of broadcasting and of writing to each (default 12); the first third
                            warms up
        --crowd             then broadcasts with two dead peers and a slow one; from 4 peers on
        --quick             short rounds and pieces: a test of the command, not a measurement
        --json              one JSON object on the last line\
      """;

  private static final String PEERS = "--peers";
  private static final String SIZE = "--size";
  private static final String ROUNDS = "--rounds";
  private static final String QUICK = "--quick";
  private static final String CROWD = "--crowd";
  private static final String JSON = "--json";
  private static final int USUAL_PEERS = 64;
  private static final int USUAL_BYTES = 1 << 20;
  private static final int USUAL_ROUNDS = 12;
  private static final long ROUND_BYTES = 320L << 20;
  private static final long QUICK_ROUND_BYTES = 16L << 20;
  private static final int LEAST_CROWD = BroadcastCrowd.DEAD + 2;
  private static final int MOST_PEERS = 256;
  private static final int MOST_BYTES = 16 << 20;
  private static final int MOST_ROUNDS = 1_000;

  /** Reads the arguments behind {@code bench broadcast}. */
  static BroadcastCommand parse(List<String> args) throws BadArgumentException {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    Set<String> flags = new LinkedHashSet<>();
    Deque<String> rest = new ArrayDeque<>(args);
    while (!rest.isEmpty()) {
      String key = rest.removeFirst();
      switch (key) {
        case PEERS -> numbers.put(key, number(key, rest, MOST_PEERS));
        case SIZE -> numbers.put(key, number(key, rest, MOST_BYTES));
        case ROUNDS -> numbers.put(key, number(key, rest, MOST_ROUNDS));
        case QUICK, CROWD, JSON -> flags.add(key);
        default -> throw new BadArgumentException("bench: unknown argument: " + key);
      }
    }
    int peers = numbers.getOrDefault(PEERS, USUAL_PEERS);
    if (flags.contains(CROWD) && peers < LEAST_CROWD) {
      throw new BadArgumentException("bench: --crowd needs " + LEAST_CROWD + " --peers or more");
    }
    return new BroadcastCommand(
        peers,
        numbers.getOrDefault(SIZE, USUAL_BYTES),
        numbers.getOrDefault(ROUNDS, USUAL_ROUNDS),
        flags.contains(QUICK),
        flags.contains(CROWD),
        flags.contains(JSON));
  }

  private static int number(String key, Deque<String> rest, int most) throws BadArgumentException {
    String text = rest.isEmpty() ? "" : rest.removeFirst();
    try {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The message below reports the text as out of range.
    }
    throw new BadArgumentException("bench: " + key + " must be a number from 1 to " + most);
  }

  /** Measures and prints. */
  void run(PrintStream out, PrintStream err) throws IOException, InterruptedException {
    err.println("bench: sealing and sending, each by itself");
    BroadcastPieces pieces = BroadcastPieces.measure(quick);
    err.println("bench: " + peers + " peers, " + rounds + " rounds");
    try (SinkProcess sinks = SinkProcess.start(peers);
        Transport node = BroadcastSink.startSender()) {
      BroadcastCost cost =
          new BroadcastCost(
              node, sinks.addresses(), bytes, quick ? QUICK_ROUND_BYTES : ROUND_BYTES);
      Costs costs = cost.measure(rounds);
      print(costs, pieces, out);
      out.println(cost.counters());
      if (crowd) {
        new BroadcastCrowd(node, sinks.addresses(), bytes, out).run();
      }
      if (json) {
        out.println(new ObjectMapper().writeValueAsString(row(costs, pieces)));
      }
    }
  }

  private Map<String, Object> row(Costs costs, BroadcastPieces pieces) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("peers", peers);
    row.put("bytes", bytes);
    row.put("rounds", rounds);
    row.put("to_each_ns_per_byte", costs.each());
    row.put("broadcast_ns_per_byte", costs.shared());
    row.put("ratio", costs.ratio());
    row.put("seal_ns_per_byte", pieces.sealNs());
    row.put("send_ns_per_byte", pieces.sendNs());
    row.put("composed_ratio", pieces.composed(peers));
    row.put("gain", pieces.composed(peers) / costs.ratio());
    row.put("gain_of_sealing_alone", costs.composed(peers) / costs.ratio());
    return row;
  }

  private void print(Costs costs, BroadcastPieces pieces, PrintStream out) {
    double bySealing = costs.composed(peers);
    double byPieces = pieces.composed(peers);
    out.printf(
        "%d peers, %d B: to each %.3f ns/B, broadcast %.3f ns/B, ratio %.3f%n",
        peers, bytes, costs.each(), costs.shared(), costs.ratio());
    out.printf(
        "composed of JMH's pieces: seal %.3f ns/B, send %.3f ns/B, ratio %.3f; gain %.2f%n",
        pieces.sealNs(), pieces.sendNs(), byPieces, byPieces / costs.ratio());
    out.printf(
        "composed of writing to each and sealing alone: %.3f ns/B, ratio %.3f; gain %.2f%n",
        costs.sealing(), bySealing, bySealing / costs.ratio());
  }
}
