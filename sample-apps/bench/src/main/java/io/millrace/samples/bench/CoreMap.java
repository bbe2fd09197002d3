package io.millrace.samples.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The core of each side.
 *
 * @param server the server's core, -1 for the system's choice
 * @param client the client's core, -1 for the system's choice
 * @param note the reason why the sides share a core; empty when each side has a core
 */
public record CoreMap(int server, int client, String note) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String ALLOWED = "Cpus_allowed_list:";
  private static final Path TOPOLOGY = Path.of("/sys/devices/system/cpu");

  /** Chooses two physical cores from the cores that this process may use. */
  public static CoreMap choose() {
    List<Integer> allowed = allowedCores();
    if (allowed.isEmpty() || PinnedCommand.find().isEmpty()) {
      return new CoreMap(-1, -1, "not pinned: this system offers no taskset");
    }
    int server = allowed.getFirst();
    if (allowed.size() == 1) {
      return new CoreMap(server, server, "one core only, shared by both sides");
    }
    String serverSiblings = siblings(server);
    Optional<Integer> apart =
        allowed.stream()
            .filter(core -> core != server && !siblings(core).equals(serverSiblings))
            .findFirst();
    return apart
        .map(client -> new CoreMap(server, client, ""))
        .orElseGet(() -> new CoreMap(server, allowed.get(1), "both sides share one physical core"));
  }

  /** Reads a list such as {@code 0-3,8}. */
  static List<Integer> parseCores(String list) {
    List<Integer> cores = new ArrayList<>();
    for (String part : list.strip().split(",", -1)) {
      int dash = part.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
      for (int core = first; core <= last; core++) {
        cores.add(core);
      }
    }
    return cores;
  }

  private static List<Integer> allowedCores() {
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith(ALLOWED))
          .findFirst()
          .map(line -> parseCores(line.substring(ALLOWED.length())))
          .orElse(List.of());
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String siblings(int core) {
    Path list = TOPOLOGY.resolve("cpu" + core).resolve("topology/thread_siblings_list");
    try {
      return Files.readString(list).strip();
    } catch (IOException e) {
      return Integer.toString(core);
    }
  }
}
