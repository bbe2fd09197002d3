package io.millrace.samples.bench;

import io.millrace.samples.bench.peer.BaselineBuild;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.Workload;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code millrace bench}, checked.
 *
 * @param peers the variants to compare with, in the order of the command line
 * @param baseline the root of another checkout, whose build is measured as a peer like this build
 * @param workloads the workloads to run
 * @param rounds the number of turns of each peer in each workload
 * @param roundSeconds the duration of a turn
 * @param warmupSeconds the least warm-up of each peer in each workload, 0 for no warm-up
 * @param handshakes the handshakes of Millrace's nodes; the first handshake is Millrace's own, and
 *     each further handshake makes a peer
 * @param driver the network driver for Millrace, empty for Millrace's own choice
 * @param json whether the last line is one JSON object
 */
public record BenchOptions(
    List<BenchPeer> peers,
    @Nullable Path baseline,
    List<Workload> workloads,
    int rounds,
    double roundSeconds,
    double warmupSeconds,
    List<String> handshakes,
    String driver,
    boolean json) {

  /** The text that {@code --help} prints. */
  public static final String USAGE =
      """
      millrace bench [--against PEER[,PEER...]] [--baseline DIR] [options]
        --against PEERS     %s
                            (default aeron,grpc,grpc-plaintext,rsocket,floor); none for Millrace
                            alone; floor is bulk and a ping-pong on the same cores without
                            a protocol
        --baseline DIR      another checkout of Millrace: the build there, brought up to date by
                            bin/millrace there, runs twice in each round, before and after this
                            build; then the defaults are --against none, --rounds 9, --seconds 1,
                            and all workloads but %s; about three minutes
        --workload NAMES    %s
                            (default all)
        --rounds N          turns per peer and workload (default 5)
        --seconds S         length of a turn (default 2)
        --warmup S          least warm-up per peer and workload (default 2); the warm-up goes on
                            until the compilers are quiet; 0 for no warm-up
        --handshake NAMES   handshake of Millrace's nodes: tls, quic or psk (default tls); of
                            several names, as in tls,psk, the first is Millrace's own, and each
                            further name takes part as a peer, here millrace-psk
        --driver NAME       driver of Millrace: udp, udp-nio, efa, fabric:PROVIDER
        --json              one JSON object on the last line
      millrace bench broadcast --help   the savings of a broadcast, a separate measurement
      millrace bench burst --help       thousands of transfers at once through a bottleneck
      millrace bench faults --help      the errors and delays that an application sees during faults
      millrace bench start --help       the cost of nodes before their first byte, and at rest\
      """
          .formatted(PeerCatalog.names(), Workload.BULK_1400B.label(), Workload.labels());

  private static final String NOBODY = "none";
  private static final List<String> HANDSHAKES = List.of("tls", "quic", "psk");

  /** A single bulk workload is enough to judge a change. */
  private static final String STANDARD =
      Arrays.stream(Workload.values())
          .filter(workload -> workload != Workload.BULK_1400B)
          .map(Workload::label)
          .collect(Collectors.joining(","));

  private static final String DEFAULT_AGAINST = "aeron,grpc,grpc-plaintext,rsocket,floor";

  /** A command line with an invalid argument; the message is one line for the user. */
  public static final class BadArgumentException extends Exception {
    private static final long serialVersionUID = 1;

    BadArgumentException(String message) {
      super(message);
    }
  }

  /** Reads the arguments behind {@code bench}. */
  public static BenchOptions parse(List<String> args) throws BadArgumentException {
    Map<String, String> given = new LinkedHashMap<>();
    Deque<String> rest = new ArrayDeque<>(args);
    while (!rest.isEmpty()) {
      String key = rest.removeFirst();
      switch (key) {
        case "--json" -> given.put(key, "");
        case "--against",
            "--baseline",
            "--workload",
            "--rounds",
            "--seconds",
            "--warmup",
            "--handshake",
            "--driver" -> {
          if (rest.isEmpty()) {
            throw new BadArgumentException("bench: " + key + " needs a value");
          }
          given.put(key, rest.removeFirst());
        }
        default -> throw new BadArgumentException(unknown(key));
      }
    }
    Path baseline = baseline(given.get("--baseline"));
    boolean isAlone = baseline == null;
    return new BenchOptions(
        peers(given.getOrDefault("--against", isAlone ? DEFAULT_AGAINST : NOBODY)),
        baseline,
        workloads(given.getOrDefault("--workload", isAlone ? Workload.labels() : STANDARD)),
        (int) number(given, "--rounds", isAlone ? 5 : 9, 1, 1000),
        number(given, "--seconds", isAlone ? 2 : 1, 0.05, 600),
        number(given, "--warmup", 2, 0, 600),
        handshakes(given.getOrDefault("--handshake", PeerCatalog.USUAL_HANDSHAKE)),
        given.getOrDefault("--driver", ""),
        given.containsKey("--json"));
  }

  private static String unknown(String argument) {
    return argument.startsWith("-")
        ? "bench: unknown argument: " + argument
        : "bench: unknown command '"
            + argument
            + "'; commands are: broadcast, burst, faults, start, and none to compare with peers;"
            + " see 'millrace bench --help'";
  }

  private static @Nullable Path baseline(@Nullable String directory) throws BadArgumentException {
    if (directory == null) {
      return null;
    }
    Path root = Path.of(directory).toAbsolutePath().normalize();
    if (!BaselineBuild.isCheckout(root)) {
      throw new BadArgumentException(
          "bench: --baseline " + directory + ": not a checkout, bin/millrace is missing");
    }
    return root;
  }

  private static List<BenchPeer> peers(String names) throws BadArgumentException {
    List<BenchPeer> peers = new ArrayList<>();
    if (names.equals(NOBODY)) {
      return peers;
    }
    for (String name : names.split(",", -1)) {
      List<BenchPeer> found = PeerCatalog.find(name.strip());
      if (found.isEmpty() || name.strip().startsWith(BenchPeer.MILLRACE)) {
        throw new BadArgumentException(
            "bench: --against " + name + ": no such peer; known are " + PeerCatalog.names());
      }
      found.stream().filter(peer -> !peers.contains(peer)).forEach(peers::add);
    }
    return peers;
  }

  private static List<String> handshakes(String names) throws BadArgumentException {
    List<String> handshakes = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      String handshake = name.strip();
      if (!HANDSHAKES.contains(handshake) || handshakes.contains(handshake)) {
        throw new BadArgumentException(
            "bench: --handshake " + names + ": known are tls, quic and psk, each once");
      }
      handshakes.add(handshake);
    }
    return List.copyOf(handshakes);
  }

  private static List<Workload> workloads(String labels) throws BadArgumentException {
    List<Workload> workloads = new ArrayList<>();
    for (String label : labels.split(",", -1)) {
      workloads.add(
          Workload.named(label.strip())
              .orElseThrow(
                  () ->
                      new BadArgumentException(
                          "bench: --workload " + label + ": known are " + Workload.labels())));
    }
    return workloads;
  }

  private static double number(
      Map<String, String> given, String key, double otherwise, double least, double most)
      throws BadArgumentException {
    String text = given.get(key);
    if (text == null) {
      return otherwise;
    }
    try {
      double value = Double.parseDouble(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // falls through to the message that also names the allowed values
    }
    throw new BadArgumentException(
        "bench: %s %s: a number from %s to %s is needed".formatted(key, text, least, most));
  }
}
