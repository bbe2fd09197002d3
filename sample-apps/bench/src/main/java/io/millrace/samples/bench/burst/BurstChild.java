package io.millrace.samples.bench.burst;

import io.millrace.samples.bench.peer.PeerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a burst's process. The parent writes commands to standard input, one a line,
 * and reads a line of answer to each command; end of input ends the process.
 *
 * <pre>
 * connect WARM PROBERS ADDRESS...  ->  connected
 * warm SECONDS                     ->  warmed
 * begin JOB                        ->  begun
 * status                           ->  status DONE FAILED
 * counters                         ->  counters NAME=VALUE...
 * transaction                      ->  transaction QUORUM_NS P50_NS P99_NS
 * finish FILE                      ->  finished; the times are in FILE.ends, .callers and .probes
 * </pre>
 *
 * Ahead of {@code ready} and of {@code connected} the process reports its progress.
 */
public final class BurstChild {
  private final PrintStream toParent;
  private final BurstNode node;
  private List<BurstCaller> callers = List.of();
  private List<BurstCaller> probers = List.of();
  private @Nullable BurstLoad load;

  private BurstChild(PrintStream toParent, BurstNode node) {
    this.toParent = toParent;
    this.node = node;
  }

  /** {@code KIND HOST ENDPOINTS MTU DIRECTORY SETTINGS}. */
  public static void main(String[] args) {
    PrintStream toParent = System.out;
    // a library that greets on standard output must not garble the dialogue with the parent
    System.setOut(System.err);
    BurstSite site =
        new BurstSite(
            args[1],
            Integer.parseInt(args[2]),
            Integer.parseInt(args[3]),
            Path.of(args[4]),
            args[5],
            opened -> progress(toParent, opened, "opening nodes: " + opened + " of " + args[2]));
    int exitCode = 0;
    try (BurstNode node = BurstKind.valueOf(args[0]).open(site)) {
      new BurstChild(toParent, node).obey();
    } catch (Exception e) {
      e.printStackTrace(System.err);
      PeerProcess.say(toParent, "failed " + e);
      exitCode = 1;
    }
    // threads of hundreds of nodes must not keep the process
    Runtime.getRuntime().halt(exitCode);
  }

  private void obey() throws IOException, InterruptedException {
    say("ready " + String.join(" ", node.addresses()));
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      int blank = line.indexOf(' ');
      String rest = line.substring(blank + 1);
      say(
          switch (blank < 0 ? line : line.substring(0, blank)) {
            case "connect" -> connect(Arrays.asList(rest.split(" ", -1)));
            case "warm" -> warm(Duration.ofSeconds(Long.parseLong(rest)));
            case "begin" -> begin(BurstJob.parse(rest));
            case "status" -> status();
            case "counters" -> counters();
            case "transaction" -> transaction();
            case "finish" -> finish(rest);
            default -> throw new IOException("unknown command: " + line);
          });
    }
  }

  private String connect(List<String> words) throws InterruptedException {
    boolean isWarm = Boolean.parseBoolean(words.get(0));
    List<String> targets = words.subList(2, words.size());
    int probing = Math.min(Integer.parseInt(words.get(1)), targets.size());
    callers = node.callers(targets, false);
    probers = node.callers(targets.subList(0, probing), true);
    if (isWarm) {
      BurstLoad.warmUp(
          callers,
          answered ->
              progress(
                  toParent,
                  answered,
                  "calling each peer once: %d of %d answered".formatted(answered, targets.size())));
      // All peers are connected; these calls go to some of the peers.
      int probes = probers.size();
      BurstLoad.warmUp(
          probers,
          answered ->
              progress(
                  toParent,
                  targets.size(),
                  "calling with priority 0: %d of %d answered".formatted(answered, probes)));
    }
    return "connected";
  }

  private String warm(Duration limit) {
    progress(toParent, 0, "warming up");
    node.warmUp(limit);
    return "warmed";
  }

  private String begin(BurstJob job) {
    BurstLoad begun = new BurstLoad(callers, probers, job);
    load = begun;
    begun.start();
    return "begun";
  }

  private String status() {
    BurstLoad current = load;
    return current == null ? "status 0 0" : "status " + current.done() + " " + current.failed();
  }

  private String transaction() {
    BurstLoad current = load;
    return current == null ? "transaction -1 0 0" : "transaction " + current.transaction().format();
  }

  private String counters() {
    return node.counters().entrySet().stream()
        .map(counter -> " " + counter.getKey() + "=" + counter.getValue())
        .collect(Collectors.joining("", "counters", ""));
  }

  private String finish(String file) throws IOException {
    BurstLoad current = load;
    if (current != null) {
      current.finish();
      Files.write(Path.of(file + ".ends"), bytes(current.endsNs()));
      Files.write(Path.of(file + ".callers"), bytes(current.callersNs()));
      Files.write(Path.of(file + ".probes"), bytes(current.probesNs()));
    }
    return "finished";
  }

  private static byte[] bytes(long[] values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES);
    bytes.asLongBuffer().put(values);
    return bytes.array();
  }

  /** Reads and removes a file of times. */
  static List<Long> take(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    Files.delete(file);
    List<Long> values = new ArrayList<>();
    while (bytes.hasRemaining()) {
      values.add(bytes.getLong());
    }
    return values;
  }

  private static void progress(PrintStream toParent, int done, String phase) {
    PeerProcess.say(toParent, PeerProcess.PROGRESS + done + " " + phase);
  }

  private void say(String line) {
    PeerProcess.say(toParent, line);
  }
}
