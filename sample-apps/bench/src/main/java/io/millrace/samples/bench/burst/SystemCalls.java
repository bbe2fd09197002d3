package io.millrace.samples.bench.burst;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.millrace.samples.process.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts the system calls of both sides by {@code perf stat}. The kernel's tracing of system calls
 * slows every process of the machine, so no time is measured meanwhile.
 */
final class SystemCalls implements AutoCloseable {
  /** Calls that may wait for an event. */
  private static final Set<String> WAITS =
      Set.of("epoll_wait", "epoll_pwait", "epoll_pwait2", "poll", "ppoll", "futex");

  private static final List<String> OTHERS =
      List.of(
          "sendmmsg",
          "sendmsg",
          "sendto",
          "write",
          "writev",
          "recvmmsg",
          "recvmsg",
          "recvfrom",
          "read",
          "readv",
          "epoll_ctl");

  /** Between a side and a kind, in the names of counters. */
  static final String CALLS = "calls_";

  private static final Path EVENTS = Path.of("/sys/kernel/tracing/events/syscalls");
  private static final String ENTER = "sys_enter_";
  private static final int NAME_COLUMN = 2;

  private final Map<String, Perf> perfs = new LinkedHashMap<>();

  private SystemCalls() {}

  /** The first missing prerequisite, in one line; empty if the host can count. */
  static String missing() throws InterruptedException {
    if (kinds().isEmpty()) {
      return "bench burst --system-calls needs the kernel's tracing of system calls, in " + EVENTS;
    }
    try {
      Shell.run("perf --version");
      return "";
    } catch (IOException e) {
      return "bench burst --system-calls needs the command perf";
    }
  }

  /** Counts nothing. */
  static SystemCalls none() {
    return new SystemCalls();
  }

  /** Attaches to the receiver's process and to the senders' processes, in this order. */
  static SystemCalls attach(List<Long> pids, Path directory) throws IOException {
    SystemCalls calls = new SystemCalls();
    try {
      calls.perfs.put(SideCounters.RECEIVER, Perf.attach(pids.subList(0, 1), directory));
      calls.perfs.put(SideCounters.SENDERS, Perf.attach(pids.subList(1, pids.size()), directory));
      return calls;
    } catch (IOException e) {
      calls.close();
      throw e;
    }
  }

  /** Begins the counting. */
  void start() throws IOException {
    for (Perf perf : perfs.values()) {
      perf.tell("enable");
    }
  }

  /** Ends the counting; the numbers of calls, by side and the system's names. */
  Map<String, Long> finish() throws IOException, InterruptedException {
    Map<String, Long> calls = new LinkedHashMap<>();
    for (Perf perf : perfs.values()) {
      perf.tell("disable");
    }
    for (Map.Entry<String, Perf> perf : perfs.entrySet()) {
      parse(perf.getValue().report())
          .forEach((kind, times) -> calls.put(perf.getKey() + CALLS + kind, times));
    }
    return calls;
  }

  /** Reads a report of {@code perf stat -x,}; leaves out kinds without a call. */
  static Map<String, Long> parse(List<String> lines) {
    Map<String, Long> calls = new LinkedHashMap<>();
    for (String line : lines) {
      String[] words = line.split(",", -1);
      int name = line.indexOf(ENTER);
      if (name > 0 && words[0].matches("[0-9]+") && !words[0].equals("0")) {
        calls.put(
            words[NAME_COLUMN].substring(words[NAME_COLUMN].indexOf(ENTER) + ENTER.length()),
            Long.parseLong(words[0]));
      }
    }
    return calls;
  }

  /** Whether the call may wait for an event. */
  static boolean isWait(String kind) {
    return WAITS.contains(kind);
  }

  /** Ends all {@code perf}, also after a failure. */
  @Override
  public void close() {
    perfs.values().forEach(perf -> perf.process.destroy());
  }

  private static String events() {
    return kinds().stream()
        .map(kind -> "syscalls:" + ENTER + kind)
        .collect(Collectors.joining(","));
  }

  /** The kinds that this kernel has. */
  private static List<String> kinds() {
    return Stream.concat(WAITS.stream().sorted(), OTHERS.stream())
        .filter(kind -> Files.isDirectory(EVENTS.resolve(ENTER + kind)))
        .toList();
  }

  /** A {@code perf} that counts the calls of processes. */
  private record Perf(
      Process process, BufferedReader acknowledgements, OutputStream commands, Path file) {
    static Perf attach(List<Long> pids, Path directory) throws IOException {
      String all = pids.stream().map(String::valueOf).collect(Collectors.joining(","));
      Path file = directory.resolve("calls-" + pids.getFirst());
      Process process =
          new ProcessBuilder(
                  List.of(
                      "perf",
                      "stat",
                      "-x,",
                      "-D",
                      "-1",
                      "--control",
                      "fd:0,1",
                      "-e",
                      events(),
                      "-p",
                      all,
                      "-o",
                      file.toString()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      Perf perf = new Perf(process, process.inputReader(US_ASCII), process.getOutputStream(), file);
      perf.tell("ping");
      return perf;
    }

    void tell(String command) throws IOException {
      commands.write((command + "\n").getBytes(US_ASCII));
      commands.flush();
      if (acknowledgements.readLine() == null) {
        throw new IOException("perf cannot count the system calls");
      }
    }

    List<String> report() throws IOException, InterruptedException {
      Shell.run("kill -INT " + process.pid());
      process.waitFor();
      return Files.readAllLines(file);
    }
  }
}
