package io.millrace.samples.bench.faults;

import io.millrace.samples.bench.faults.FaultClient.Carried;
import io.millrace.samples.bench.faults.FaultClient.Told;
import io.millrace.samples.bench.peer.PeerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A transport under a fault: starts the processes, makes the fault, and watches the consequences.
 */
final class FaultRun {
  private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long BEFORE_NS = TimeUnit.SECONDS.toNanos(2);
  private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The run ends after successes over this time. */
  private static final long STEADY_NS = TimeUnit.SECONDS.toNanos(1);

  /** The longest time from the healing to the end of a run. */
  private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(15);

  private static final long ANSWER_SECONDS = 10;
  private static final long FINISH_SECONDS = 30;

  private final FaultLaboratory laboratory;
  private final Fault fault;
  private final FaultPeer peer;
  private final FaultProcesses processes;
  private final Path directory;
  private final PrintStream err;
  private final Carriage carriage = new Carriage();
  private long faultNs;

  private FaultRun(
      FaultLaboratory laboratory,
      Fault fault,
      FaultPeer peer,
      FaultProcesses processes,
      Path directory,
      PrintStream err) {
    this.laboratory = laboratory;
    this.fault = fault;
    this.peer = peer;
    this.processes = processes;
    this.directory = directory;
    this.err = err;
  }

  /** Runs a transport under a fault. */
  static FaultRow run(
      FaultLaboratory laboratory,
      Fault fault,
      FaultPeer peer,
      Path shared,
      String settings,
      PrintStream err)
      throws IOException, InterruptedException {
    Path directory = Files.createDirectories(shared.resolve(fault.label() + "-" + peer.label()));
    try (FaultProcesses processes =
        new FaultProcesses(laboratory, peer, fault.topology(), directory, shared, settings)) {
      return new FaultRun(laboratory, fault, peer, processes, directory, err).run();
    } finally {
      laboratory.pass();
      laboratory.setSecondLink(true);
    }
  }

  private FaultRow run() throws IOException, InterruptedException {
    PeerProcess client = processes.startClient();
    PeerProcess server = processes.startServers();
    FaultProcesses.connect(client);
    long beginNs = System.nanoTime() + LEAD_NS;
    client.ask("begin " + beginNs, "begun", ANSWER_SECONDS);
    watch(client, beginNs + BEFORE_NS);
    faultNs = System.nanoTime();
    String how = begin(server);
    say(how);
    watch(client, faultNs + TimeUnit.MILLISECONDS.toNanos(fault.lastsMs()));
    end(server);
    long healedNs = System.nanoTime();
    if (fault.heals()) {
      awaitRecovery(client, healedNs);
    }
    long stoppedNs = System.nanoTime();
    String open = client.ask("finish " + directory.resolve("client"), "finished", FINISH_SECONDS);
    if (!open.equals("0")) {
      say(open + " calls did not end at all");
    }
    return new FaultRow(
        fault,
        peer,
        how,
        CallLog.read(directory.resolve("client.calls")),
        Files.readAllLines(directory.resolve("client.told")).stream().map(FaultRun::told).toList(),
        carriage,
        new FaultRow.Times(beginNs, faultNs, healedNs, stoppedNs));
  }

  private static Told told(String line) {
    String[] words = line.split(" ", 2);
    return new Told(Long.parseLong(words[0]), words[1]);
  }

  private String begin(PeerProcess server) throws IOException, InterruptedException {
    return switch (fault) {
      case KILL, RESTART -> FaultProcesses.signal(server, "KILL");
      case PAUSE_SHORT, PAUSE_LONG -> FaultProcesses.signal(server, "STOP");
      case PARTITION -> laboratory.cutServers();
      case LOSS -> laboratory.dropHalf();
      case NICS -> laboratory.setSecondLink(false);
      case FABRIC -> laboratory.dropTcp();
    };
  }

  private void end(PeerProcess server) throws IOException, InterruptedException {
    switch (fault) {
      case KILL -> {}
      case RESTART -> processes.startServers();
      case PAUSE_SHORT, PAUSE_LONG -> FaultProcesses.signal(server, "CONT");
      case PARTITION, LOSS, FABRIC -> laboratory.pass();
      case NICS -> laboratory.setSecondLink(true);
    }
  }

  private void awaitRecovery(PeerProcess client, long healedNs)
      throws IOException, InterruptedException {
    long nowNs = healedNs;
    long saidNs = healedNs;
    boolean isSteady = false;
    while (!isSteady && nowNs - healedNs < LONGEST_NS) {
      watch(client, nowNs + 2 * POLL_NS);
      nowNs = System.nanoTime();
      isSteady = isSteady(client, healedNs, nowNs);
      if (nowNs - saidNs > TimeUnit.SECONDS.toNanos(5)) {
        saidNs = nowNs;
        say("healed %.0f s ago, not yet as before".formatted((nowNs - healedNs) / 1e9));
      }
    }
  }

  private boolean isSteady(PeerProcess client, long healedNs, long nowNs)
      throws IOException, InterruptedException {
    String[] status = client.ask("status " + healedNs, "status", ANSWER_SECONDS).split(" ", -1);
    long recoveredNs = Long.parseLong(status[3]);
    long againNs = carriage.isEmpty() ? recoveredNs : carriage.allAgainNs(faultNs, healedNs);
    return recoveredNs != CallLog.NEVER
        && againNs != CallLog.NEVER
        && nowNs - recoveredNs > STEADY_NS
        && nowNs - againNs > STEADY_NS;
  }

  /** Waits until a time; looks at the carriers meanwhile. */
  private void watch(PeerProcess client, long untilNs) throws IOException, InterruptedException {
    boolean hasCarriers = fault.topology() != FaultTopology.ONE;
    for (long nowNs = System.nanoTime(); nowNs - untilNs < 0; nowNs = System.nanoTime()) {
      if (hasCarriers) {
        String answer = client.ask("carried", "carried", ANSWER_SECONDS);
        List<Carried> carried = Arrays.stream(answer.split(" ", -1)).map(Carried::parse).toList();
        carriage.add(System.nanoTime(), carried);
      }
      PacedLoad.parkUntil(hasCarriers ? Math.min(untilNs, nowNs + POLL_NS) : untilNs);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private void say(String what) {
    err.println("faults: " + fault.label() + " over " + peer.label() + ": " + what);
  }
}
