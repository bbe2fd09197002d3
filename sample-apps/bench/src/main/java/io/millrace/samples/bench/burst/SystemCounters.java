package io.millrace.samples.bench.burst;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The kernel's counters of cores, processes and TCP. */
final class SystemCounters {
  private static final int IDLE = 4;
  private static final int WAITING = 5;
  private static final String TCP = "Tcp:";

  private SystemCounters() {}

  /**
   * Ticks of a core since the system started.
   *
   * @param idle ticks without work
   */
  record Core(long ticks, long idle) {}

  /** The counters of all cores, now. */
  static List<Core> cores() throws IOException {
    return parseCores(Files.readAllLines(Path.of("/proc/stat")));
  }

  /** Reads the lines of {@code /proc/stat}. */
  static List<Core> parseCores(List<String> lines) {
    List<Core> cores = new ArrayList<>();
    for (String line : lines) {
      if (line.matches("cpu[0-9]+ .*")) {
        String[] words = line.split(" +", -1);
        long ticks = Arrays.stream(words).skip(1).mapToLong(Long::parseLong).sum();
        cores.add(new Core(ticks, Long.parseLong(words[IDLE]) + Long.parseLong(words[WAITING])));
      }
    }
    return cores;
  }

  /** The busy share of each core between two readings, 0 to 1. */
  static List<Double> busy(List<Core> before, List<Core> after) {
    List<Double> busy = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      long ticks = after.get(i).ticks() - before.get(i).ticks();
      long idle = after.get(i).idle() - before.get(i).idle();
      busy.add(ticks == 0 ? 0 : (double) (ticks - idle) / ticks);
    }
    return busy;
  }

  /** Processor time of these processes, in steps of 10 ms. */
  static long processorNs(List<Long> pids) {
    return pids.stream()
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .mapToLong(process -> process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L))
        .sum();
  }

  /** The number of segments that TCP retransmitted in the namespace of a process. */
  static long retransmittedSegments(long pid) throws IOException {
    return parseRetransmitted(Files.readAllLines(Path.of("/proc/" + pid + "/net/snmp")));
  }

  /** Reads the lines of {@code /proc/net/snmp}: names, then values. */
  static long parseRetransmitted(List<String> lines) {
    List<String> tcp = lines.stream().filter(line -> line.startsWith(TCP)).toList();
    int column = Arrays.asList(tcp.getFirst().split(" ", -1)).indexOf("RetransSegs");
    return Long.parseLong(tcp.getLast().split(" ", -1)[column]);
  }
}
