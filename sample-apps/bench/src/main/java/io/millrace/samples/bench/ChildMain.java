package io.millrace.samples.bench;

import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.BulkLoop;
import io.millrace.samples.bench.peer.CallLoop;
import io.millrace.samples.bench.peer.PeerProcess;
import io.millrace.samples.bench.peer.PeerSite;
import io.millrace.samples.bench.peer.RoundResult;
import io.millrace.samples.bench.peer.SpinGate;
import io.millrace.samples.bench.peer.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The main class of a peer's server or client process. The parent writes commands to standard
 * input, one a line, and reads a line of answer to each command from standard output; end of input
 * ends the process.
 *
 * <pre>
 * server: resume | pause -> usage        client: run WORKLOAD MILLIS -> figures; usage
 * </pre>
 */
public final class ChildMain {
  /** The longest wait of a client for the last answers after the time of a round. */
  static final long GRACE_SECONDS = 10;

  private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(GRACE_SECONDS);

  private final PrintStream toParent;
  private final PeerSite site;
  private final UsageMeter meter = new UsageMeter();

  private ChildMain(PrintStream toParent, PeerSite site) {
    this.toParent = toParent;
    this.site = site;
  }

  /** {@code server PEER DIRECTORY DRIVER} or {@code client PEER DIRECTORY DRIVER ADDRESS}. */
  public static void main(String[] args) {
    PrintStream toParent = System.out;
    // a library that greets on standard output must not garble the dialogue with the parent
    System.setOut(System.err);
    PeerSite site = new PeerSite(new SpinGate(), Path.of(args[2]), args[3]);
    ChildMain child = new ChildMain(toParent, site);
    int exitCode = 0;
    try {
      BenchPeer peer = PeerCatalog.variant(args[1]);
      if (args[0].equals("server")) {
        child.serve(peer);
      } else {
        child.call(peer, args[4]);
      }
    } catch (Exception e) {
      e.printStackTrace(System.err);
      child.say("failed " + e);
      exitCode = 1;
    }
    // threads of a closing peer must not keep the process alive
    System.exit(exitCode);
  }

  private void serve(BenchPeer peer) throws Exception {
    try (BenchServer server = peer.openServer(site)) {
      say("ready " + server.address());
      BufferedReader commands = commands();
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        switch (line) {
          case "resume" -> {
            meter.restart();
            site.gate().open();
            say("resumed");
          }
          case "pause" -> {
            site.gate().close();
            say("paused " + meter.read().format());
          }
          default -> throw new IOException("unknown command: " + line);
        }
      }
    }
  }

  private void call(BenchPeer peer, String address) throws Exception {
    try (BenchClient client = peer.openClient(site, address)) {
      say("ready");
      BufferedReader commands = commands();
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        String[] words = line.split(" ", -1);
        Workload workload = Workload.named(words[1]).orElseThrow();
        say(
            "result "
                + run(client, workload, TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[2]))));
      }
    }
  }

  private String run(BenchClient client, Workload workload, long durationNs) throws Exception {
    site.gate().open();
    try {
      RoundResult result =
          workload.isBulk()
              ? send(client, workload, durationNs)
              : call(client, workload, durationNs);
      return result.format() + ";" + meter.read().format();
    } finally {
      site.gate().close();
    }
  }

  private RoundResult call(BenchClient client, Workload workload, long durationNs)
      throws IOException, InterruptedException {
    CallLoop loop = new CallLoop(workload, durationNs, SystemNanoClock.INSTANCE);
    meter.restart();
    client.start(loop);
    if (!loop.awaitDone(durationNs + GRACE_NS)) {
      throw new IOException("calls were not answered within " + GRACE_SECONDS + " s");
    }
    return loop.result();
  }

  /** Checks every byte of a short transfer, then measures the time of a long transfer. */
  private RoundResult send(BenchClient client, Workload workload, long durationNs)
      throws IOException, InterruptedException {
    BulkLoop verified = BulkLoop.verifying(workload, SystemNanoClock.INSTANCE);
    client.start(verified);
    if (!verified.awaitDone(GRACE_NS)) {
      throw new IOException("the bytes to verify did not arrive within " + GRACE_SECONDS + " s");
    }
    if (verified.result().wrong() != 0) {
      throw new IOException("the received bytes differ from the sent bytes");
    }
    BulkLoop loop = BulkLoop.timed(workload, durationNs, SystemNanoClock.INSTANCE);
    meter.restart();
    client.start(loop);
    if (!loop.awaitDone(durationNs + GRACE_NS)) {
      throw new IOException("a transfer did not end within " + GRACE_SECONDS + " s");
    }
    return loop.result();
  }

  private void say(String line) {
    PeerProcess.say(toParent, line);
  }

  private static BufferedReader commands() {
    return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  }
}
