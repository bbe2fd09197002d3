package io.millrace.samples.bench.burst;

import io.millrace.samples.bench.PinnedCommand;
import io.millrace.samples.bench.peer.PeerProcess;
import io.millrace.samples.process.JavaCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The processes of one transport of the comparison: the receiver's process, then the senders'
 * processes.
 */
final class BurstCrowd implements AutoCloseable {
  private static final long POLL_MS = 50;
  private static final long ANSWER_SECONDS = 30;
  private static final int PROBERS = 16;
  private static final List<String> JVM_FLAGS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          PinnedCommand.OF_INTERNALS,
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          "-Xmx2g",
          // Many start at once.
          "-Dpekko.logger-startup-timeout=60s",
          "-Dagrona.disable.bounds.checks=true");

  private final BurstOptions options;
  private final BurstSubject subject;
  private final Path directory;
  private final PrintStream err;
  private final List<PeerProcess> processes = new ArrayList<>();
  private final List<String> peerAddresses = new ArrayList<>();
  private String receiverAddress = "";
  private BurstShape shape = BurstShape.INCAST;

  private BurstCrowd(BurstOptions options, BurstSubject subject, Path directory, PrintStream err) {
    this.options = options;
    this.subject = subject;
    this.directory = directory;
    this.err = err;
  }

  /**
   * Starts all processes, and waits until the processes listen; {@code err} receives the progress
   * of a long wait.
   */
  static BurstCrowd open(
      BurstOptions options,
      Laboratory laboratory,
      BurstSubject subject,
      Path directory,
      PrintStream err)
      throws IOException, InterruptedException {
    BurstCrowd crowd = new BurstCrowd(options, subject, directory, err);
    try {
      crowd.start(laboratory.commandPrefix(true), Laboratory.RECEIVER_HOST, 0);
      crowd.receiverAddress =
          crowd
              .await(crowd.processes, "ready", "receiver of " + subject.name() + " listening")
              .getFirst();
      for (int i = 0; i < options.processes; i++) {
        crowd.start(laboratory.commandPrefix(false), Laboratory.SENDERS_HOST, crowd.peersOf(i));
      }
      crowd.await(crowd.senders(), "ready", "peers of " + subject.name() + " listening").stream()
          .flatMap(addresses -> Arrays.stream(addresses.split(" ", -1)))
          .forEach(crowd.peerAddresses::add);
      return crowd;
    } catch (IOException | InterruptedException | RuntimeException e) {
      crowd.close();
      throw e;
    }
  }

  private void start(List<String> prefix, String host, int endpoints) throws IOException {
    String name = "burst-" + subject.name() + "-" + processes.size();
    List<String> command = new ArrayList<>(prefix);
    command.add(JavaCommand.program());
    command.addAll(JVM_FLAGS);
    command.addAll(List.of("-cp", subject.classPath(), BurstChild.class.getName()));
    command.addAll(
        List.of(
            subject.kind().name(),
            host,
            String.valueOf(endpoints),
            String.valueOf(options.mtu),
            directory.toString(),
            String.join("\n", options.settings)));
    Path own = Files.createDirectories(directory.resolve(name));
    processes.add(PeerProcess.start(name, command, own));
  }

  /**
   * Runs the code of all nodes ahead of their first call, if the options ask for this; one process
   * after another, since a node in production has its cores for itself.
   */
  void warmUp() throws IOException, InterruptedException {
    if (options.engineWarmUpSeconds > 0) {
      for (PeerProcess process : processes) {
        process.tell("warm " + options.engineWarmUpSeconds);
        List<String> _ = await(List.of(process), "warmed", process.name() + " warm");
      }
    }
  }

  /**
   * Assigns targets to the callers, and makes the first calls unless the burst is to include these
   * calls.
   */
  void connect(BurstShape next) throws IOException, InterruptedException {
    shape = next;
    String start = "connect " + !options.cold + " " + PROBERS / callers().size() + " ";
    List<String> targets =
        shape == BurstShape.FANOUT
            ? List.of(String.join(" ", peerAddresses))
            : Stream.iterate(0, i -> i + 1)
                .limit(options.processes)
                .map(i -> (receiverAddress + " ").repeat(peersOf(i)).strip())
                .toList();
    for (int i = 0; i < callers().size(); i++) {
      callers().get(i).tell(start + targets.get(i));
    }
    List<String> _ = await(callers(), "connected", "peers of " + subject.name() + " connected");
  }

  /**
   * Waits for an answer of each process, and reports the missing processes every few seconds;
   * returns the answers.
   */
  private List<String> await(List<PeerProcess> awaited, String expected, String goal)
      throws IOException, InterruptedException {
    CrowdWait wait = new CrowdWait(goal, System.nanoTime());
    Map<PeerProcess, String> answers = new HashMap<>();
    while (answers.size() < awaited.size()) {
      List<PeerProcess> left = awaited.stream().filter(p -> !answers.containsKey(p)).toList();
      for (PeerProcess process : left) {
        // The first process gives the pace; the remaining processes are only polled.
        String answer = process.poll(expected, process == left.getFirst() ? POLL_MS : 0);
        if (answer != null) {
          answers.put(process, answer);
        }
      }
      List<CrowdWait.Awaited> states =
          awaited.stream().map(p -> state(p, answers.containsKey(p))).toList();
      long nowNs = System.nanoTime();
      if (answers.size() < awaited.size()) {
        wait.poll(states, nowNs).ifPresent(err::println);
        if (wait.isStalled(nowNs)) {
          throw left.getFirst().noAnswer(CrowdWait.STALL_SECONDS);
        }
      }
    }
    return awaited.stream().map(p -> Objects.requireNonNull(answers.get(p))).toList();
  }

  private CrowdWait.Awaited state(PeerProcess process, boolean hasAnswered) {
    PeerProcess.Progress progress = process.progress();
    int index = processes.indexOf(process);
    int peers = index > 0 ? peersOf(index - 1) : shape == BurstShape.FANOUT ? options.peers : 1;
    return new CrowdWait.Awaited(
        process.name(), peers, progress.done(), progress.phase(), hasAnswered);
  }

  private int peersOf(int process) {
    return options.firstPeer(process + 1) - options.firstPeer(process);
  }

  /** Tells all callers to begin a burst of transfers of these bytes. */
  void begin(int transfers, long startNs, int sizeBytes) throws IOException, InterruptedException {
    boolean isIncast = shape == BurstShape.INCAST;
    int callers = callers().size();
    long intervalNs =
        options.probesPerSecond == 0 ? 0 : 1_000_000_000L * callers / options.probesPerSecond;
    for (int i = 0; i < callers; i++) {
      BurstJob job =
          new BurstJob(
              startNs,
              transfers,
              options.peers,
              isIncast ? options.firstPeer(i) : 0,
              isIncast ? sizeBytes : Integer.BYTES,
              isIncast ? Integer.BYTES : sizeBytes,
              intervalNs,
              0,
              1);
      callers().get(i).ask("begin " + job.format(), "begun", ANSWER_SECONDS);
    }
  }

  /** Tells the receiver, which calls the peers, to begin a job. */
  void begin(BurstJob job) throws IOException, InterruptedException {
    processes.getFirst().ask("begin " + job.format(), "begun", ANSWER_SECONDS);
  }

  /** The result of the receiver's transaction. */
  BurstLoad.Transaction transaction() throws IOException, InterruptedException {
    return BurstLoad.Transaction.parse(
        processes.getFirst().ask("transaction", "transaction", ANSWER_SECONDS));
  }

  /** The numbers of transfers that succeeded and of transfers that failed. */
  int[] status() throws IOException, InterruptedException {
    int[] sums = new int[2];
    for (PeerProcess caller : callers()) {
      String[] words = caller.ask("status", "status", ANSWER_SECONDS).split(" ", -1);
      sums[0] += Integer.parseInt(words[0]);
      sums[1] += Integer.parseInt(words[1]);
    }
    return sums;
  }

  /** Ends the round: no more probes. */
  BurstRound.Times finish() throws IOException, InterruptedException {
    Path file = directory.resolve("times");
    List<Long> endsNs = new ArrayList<>();
    List<Long> peersNs = new ArrayList<>();
    List<Long> probesNs = new ArrayList<>();
    for (PeerProcess caller : callers()) {
      caller.ask("finish " + file, "finished", ANSWER_SECONDS);
      endsNs.addAll(BurstChild.take(Path.of(file + ".ends")));
      peersNs.addAll(BurstChild.take(Path.of(file + ".callers")));
      probesNs.addAll(BurstChild.take(Path.of(file + ".probes")));
    }
    return new BurstRound.Times(
        endsNs.stream().sorted().toList(),
        peersNs.stream().sorted().toList(),
        probesNs.stream().sorted().toList());
  }

  /** The counters of the nodes and of the kernel up to now, by side and name. */
  Map<String, Long> counters() throws IOException, InterruptedException {
    Map<String, Long> sums = new LinkedHashMap<>();
    for (PeerProcess process : processes) {
      String side = process == processes.getFirst() ? SideCounters.RECEIVER : SideCounters.SENDERS;
      String line = process.ask("counters", "counters", ANSWER_SECONDS);
      for (String counter : line.isEmpty() ? new String[0] : line.split(" ", -1)) {
        int equal = counter.indexOf('=');
        sums.merge(
            side + counter.substring(0, equal),
            Long.parseLong(counter.substring(equal + 1)),
            Long::sum);
      }
      SideCounters.switches(process.pid())
          .forEach((name, value) -> sums.merge(side + name, value, Long::sum));
    }
    sums.put(
        SideCounters.RECEIVER + SideCounters.PACKETS,
        SideCounters.packetsSent(processes.getFirst().pid()));
    sums.put(
        SideCounters.SENDERS + SideCounters.PACKETS,
        SideCounters.packetsSent(processes.getLast().pid()));
    sums.put(
        "tcp_segments_again",
        SystemCounters.retransmittedSegments(processes.getFirst().pid())
            + SystemCounters.retransmittedSegments(processes.getLast().pid()));
    return sums;
  }

  /**
   * The reasons of the failed calls so far, with the number of failures, from the logs of the
   * processes.
   */
  private Map<String, Integer> failures() throws IOException {
    Map<String, Integer> failures = new TreeMap<>();
    try (Stream<Path> logs = Files.find(directory, 2, (file, _) -> file.endsWith("log"))) {
      for (Path log : logs.toList()) {
        Files.readAllLines(log).stream()
            .filter(line -> line.startsWith(BurstCaller.FAILED_MARK))
            .map(line -> line.substring(BurstCaller.FAILED_MARK.length()))
            .forEach(reason -> failures.merge(reason, 1, Integer::sum));
      }
    }
    return failures;
  }

  /** Prints the reasons of failed calls. */
  void sayFailures() throws IOException {
    failures().forEach((why, times) -> err.println("burst: " + times + " calls failed: " + why));
  }

  /** Attaches a counter of system calls to all processes. */
  SystemCalls attach() throws IOException {
    return SystemCalls.attach(pids(), directory);
  }

  /** The increase of each counter. */
  static Map<String, Long> difference(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> difference = new LinkedHashMap<>();
    after.forEach((name, value) -> difference.put(name, value - before.getOrDefault(name, 0L)));
    return difference;
  }

  /** The processor time of the processes up to now, beside the busy shares of the cores. */
  BurstRound.Processor processor(List<Double> coresBusy) {
    List<Long> pids = pids();
    return new BurstRound.Processor(
        SystemCounters.processorNs(pids.subList(0, 1)),
        SystemCounters.processorNs(pids.subList(1, pids.size())),
        coresBusy);
  }

  /** The ids of all processes, the receiver's first. */
  List<Long> pids() {
    return processes.stream().map(PeerProcess::pid).toList();
  }

  private List<PeerProcess> callers() {
    return shape == BurstShape.INCAST ? senders() : processes.subList(0, 1);
  }

  private List<PeerProcess> senders() {
    return processes.subList(1, processes.size());
  }

  @Override
  public void close() {
    processes.forEach(PeerProcess::askToEnd);
    processes.forEach(PeerProcess::close);
  }
}
