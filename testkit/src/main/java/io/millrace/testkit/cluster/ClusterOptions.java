package io.millrace.testkit.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The options for the start of a cluster.
 *
 * @param names the nodes, a JVM for each; letters, digits and hyphens
 * @param limit limit of waits without a limit of their own
 * @param heapMb heap of each JVM, MiB
 * @param jvmFlags flags of each JVM after the usual flags, so that these flags win
 * @param nodeFlags flags of single nodes, by name, after the flags of all nodes
 */
record ClusterOptions(
    List<String> names,
    Duration limit,
    int heapMb,
    List<String> jvmFlags,
    Map<String, List<String>> nodeFlags) {
  /** Limit on the number of JVMs; more than any host of tests carries. */
  public static final int MOST_JVMS = 64;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]{1,64}");
  private static final Duration USUAL_LIMIT = Duration.ofSeconds(30);
  private static final int USUAL_HEAP_MB = 128;

  /** Checks the names and the ranges. */
  public ClusterOptions {
    names = List.copyOf(names);
    jvmFlags = List.copyOf(jvmFlags);
    nodeFlags = copy(nodeFlags);
    if (names.isEmpty() || names.size() > MOST_JVMS) {
      throw new IllegalArgumentException(names.size() + " JVMs are not within 1 to " + MOST_JVMS);
    }
    if (names.stream().distinct().count() < names.size()) {
      throw new IllegalArgumentException("two nodes have one name: " + names);
    }
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException("not a name of a node: " + name);
      }
    }
    if (!names.containsAll(nodeFlags.keySet())) {
      throw new IllegalArgumentException("flags of " + nodeFlags.keySet() + " among " + names);
    }
    if (limit.isNegative() || limit.isZero() || heapMb <= 0) {
      throw new IllegalArgumentException("limit " + limit + " or heap " + heapMb + " MiB");
    }
  }

  private static Map<String, List<String>> copy(Map<String, List<String>> flags) {
    return flags.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> List.copyOf(e.getValue())));
  }

  /** Nodes of these names, 30 s of patience, 128 MiB of heap each. */
  public static ClusterOptions named(String... names) {
    return new ClusterOptions(List.of(names), USUAL_LIMIT, USUAL_HEAP_MB, List.of(), Map.of());
  }

  /** Nodes {@code node1} to {@code nodeN}. */
  public static ClusterOptions jvms(int count) {
    return named(IntStream.rangeClosed(1, count).mapToObj(n -> "node" + n).toArray(String[]::new));
  }

  /** These options with another limit for waits. */
  public ClusterOptions withLimit(Duration limit) {
    return new ClusterOptions(names, limit, heapMb, jvmFlags, nodeFlags);
  }

  /** These options with another heap of each JVM. */
  public ClusterOptions withHeapMb(int heapMb) {
    return new ClusterOptions(names, limit, heapMb, jvmFlags, nodeFlags);
  }

  /** These options with more flags of each JVM. */
  public ClusterOptions withJvmFlags(String... flags) {
    return new ClusterOptions(names, limit, heapMb, List.of(flags), nodeFlags);
  }

  /** These options with more flags of one node's JVM, which win over the flags of all JVMs. */
  public ClusterOptions withJvmFlagsOf(String name, String... flags) {
    Map<String, List<String>> all = new HashMap<>(nodeFlags);
    all.put(name, List.of(flags));
    return new ClusterOptions(names, limit, heapMb, jvmFlags, all);
  }

  /**
   * Returns the command that starts the JVM of a life of a node, with this JVM's Java and class
   * path.
   */
  List<String> command(String name, int incarnation) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(
        List.of(
            "-ea",
            "-Xmx" + heapMb + "m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError",
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED",
            // For a Pekko Cluster in the nodes: the remoting of Pekko needs classes of Agrona.
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(jvmFlags);
    command.addAll(nodeFlags.getOrDefault(name, List.of()));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(NodeMain.class.getName(), name, Integer.toString(incarnation)));
    command.add(Long.toString(limit.toNanos()));
    command.addAll(names);
    return command;
  }
}
