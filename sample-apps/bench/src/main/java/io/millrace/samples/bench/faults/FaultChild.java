package io.millrace.samples.bench.faults;

import io.millrace.samples.bench.peer.PeerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a process. The parent writes commands to standard input, one a line, and reads
 * a line of answer to each command; end of input ends the process at once. A server reports
 * readiness and obeys no command.
 *
 * <pre>
 * connect             ->  connected
 * begin START_NS      ->  begun
 * status HEALED_NS    ->  status ENDED FAILED OPEN RECOVERED_NS
 * carried             ->  carried NAME=SENT/RECEIVED...
 * finish FILE         ->  finished OPEN; calls are in FILE.calls, what was told in FILE.told
 * </pre>
 */
public final class FaultChild {
  private final PrintStream toParent;
  private final FaultClient client;
  private final FaultTopology topology;
  private @Nullable PacedLoad load;

  private FaultChild(PrintStream toParent, FaultClient client, FaultTopology topology) {
    this.toParent = toParent;
    this.client = client;
    this.topology = topology;
  }

  /** {@code PEER TOPOLOGY IS_SERVER INDEX OWN_DIRECTORY SHARED_DIRECTORY SETTINGS}. */
  public static void main(String[] args) {
    PrintStream toParent = System.out;
    // a library that greets on standard output must not garble the dialogue with the parent
    System.setOut(System.err);
    FaultPeer peer = FaultPeer.valueOf(args[0]);
    FaultSite site =
        new FaultSite(
            FaultTopology.valueOf(args[1]),
            Boolean.parseBoolean(args[2]),
            Integer.parseInt(args[3]),
            Path.of(args[4]),
            Path.of(args[5]),
            args[6]);
    int exitCode = 0;
    try {
      if (site.isServer()) {
        serve(toParent, peer, site);
      } else {
        call(toParent, peer, site);
      }
    } catch (Exception e) {
      e.printStackTrace(System.err);
      PeerProcess.say(toParent, "failed " + e);
      exitCode = 1;
    }
    // an orderly close would take too long
    Runtime.getRuntime().halt(exitCode);
  }

  private static void serve(PrintStream toParent, FaultPeer peer, FaultSite site) throws Exception {
    Object server = peer.openServer(site);
    PeerProcess.say(toParent, "ready");
    for (int next = System.in.read(); next >= 0; next = System.in.read()) {
      System.err.println(server + " was told " + next);
    }
  }

  private static void call(PrintStream toParent, FaultPeer peer, FaultSite site) throws Exception {
    new FaultChild(toParent, peer.openClient(site), site.topology()).obey();
  }

  private void obey() throws IOException, InterruptedException {
    PeerProcess.say(toParent, "ready");
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      int blank = line.indexOf(' ');
      String rest = line.substring(blank + 1);
      PeerProcess.say(
          toParent,
          switch (blank < 0 ? line : line.substring(0, blank)) {
            case "connect" -> connect();
            case "begin" -> begin(Long.parseLong(rest));
            case "status" -> status(Long.parseLong(rest));
            case "carried" -> carried();
            case "finish" -> finish(rest);
            default -> throw new IOException("unknown command: " + line);
          });
    }
  }

  private String connect() throws IOException {
    client.connect();
    return "connected";
  }

  private String begin(long startNs) {
    PacedLoad begun = new PacedLoad(client, topology, startNs);
    load = begun;
    begun.start();
    return "begun";
  }

  private String status(long healedNs) {
    PacedLoad current = load;
    if (current == null) {
      return "status 0 0 0 " + CallLog.NEVER;
    }
    CallLog log = current.log();
    long failed = log.calls().stream().filter(call -> !call.isOk()).count();
    return "status %d %d %d %d"
        .formatted(log.calls().size(), failed, current.open(), log.recoveredNs(healedNs));
  }

  private String carried() {
    return client.carried().stream()
        .map(each -> " " + each.format())
        .collect(Collectors.joining("", "carried", ""));
  }

  private String finish(String file) throws IOException, InterruptedException {
    PacedLoad current = load;
    if (current == null) {
      throw new IOException("nothing was begun");
    }
    current.stop();
    current.log().write(Path.of(file + ".calls"));
    Files.write(
        Path.of(file + ".told"),
        client.told().stream().map(each -> each.atNs() + " " + each.what()).toList());
    return "finished " + current.open();
  }
}
