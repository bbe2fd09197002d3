package io.millrace.samples.bench.burst;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The kernel's counts for the processes of a side, which share a network namespace. */
final class SideCounters {
  /** The start of the names of counters, for each side. */
  static final String RECEIVER = "receiver_";

  static final String SENDERS = "senders_";

  static final String PACKETS = "link_packets";
  static final String VOLUNTARY = "voluntary_switches";
  static final String INVOLUNTARY = "involuntary_switches";

  /** Derived control keys, where the transport counts these. */
  static final String KEYS = "keys_derived";

  private static final String LOOPBACK = "lo";

  /** The column of sent packets, behind the interface's name. */
  private static final int SENT_PACKETS = 9;

  private SideCounters() {}

  /** The context switches of a process' present threads, by name. */
  static Map<String, Long> switches(long pid) throws IOException {
    long voluntary = 0;
    long involuntary = 0;
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads.toList()) {
        List<String> status = lines(thread.resolve("status"));
        voluntary += value(status, "voluntary_ctxt_switches:");
        involuntary += value(status, "nonvoluntary_ctxt_switches:");
      }
    }
    return Map.of(VOLUNTARY, voluntary, INVOLUNTARY, involuntary);
  }

  /** The packets that left the network namespace of a process. */
  static long packetsSent(long pid) throws IOException {
    return parsePacketsSent(Files.readAllLines(Path.of("/proc/" + pid + "/net/dev")));
  }

  /** Reads the lines of {@code /proc/net/dev}. */
  static long parsePacketsSent(List<String> lines) {
    long packets = 0;
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0 && !line.substring(0, colon).strip().equals(LOOPBACK)) {
        String[] words = line.substring(colon + 1).strip().split(" +", -1);
        packets += Long.parseLong(words[SENT_PACKETS]);
      }
    }
    return packets;
  }

  /** Reads a value from the lines of {@code /proc/PID/status}; 0 without the name. */
  static long value(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.substring(name.length()).strip()))
        .sum();
  }

  /** A thread may end meanwhile. */
  private static List<String> lines(Path file) throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      if (Files.exists(file)) {
        throw e;
      }
      return List.of();
    }
  }
}
