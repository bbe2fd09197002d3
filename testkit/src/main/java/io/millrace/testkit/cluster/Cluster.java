package io.millrace.testkit.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * JVMs of their own on this host, a JVM for each node, and the place where nodes meet. The owner
 * closes the cluster, which kills all running processes; should the owner die, the JVMs end by
 * themselves. Safe on any thread.
 */
public final class Cluster implements AutoCloseable {
  /** The publisher of the values that the test publishes. */
  private static final String TEST = "";

  private static final Duration DUMP_LIMIT = Duration.ofSeconds(5);

  private final ClusterOptions options;
  private final ClusterLock lock = new ClusterLock();
  private final Map<String, ClusterNode> nodes = new LinkedHashMap<>();
  private final Map<String, Long> roundsSeen = new LinkedHashMap<>();
  private final MeetingPoint meetings;

  private Cluster(ClusterOptions options) {
    this.options = options;
    meetings = new MeetingPoint(name -> node(name).doing());
    for (String name : options.names()) {
      nodes.put(name, new ClusterNode(name, options, lock, meetings));
    }
  }

  /**
   * Starts all JVMs, at once, and waits until every JVM is up.
   *
   * @throws ClusterException if a JVM does not come up, with its output; then no JVM is left
   */
  static Cluster start(ClusterOptions options) throws IOException, InterruptedException {
    Cluster cluster = new Cluster(options);
    boolean isUp = false;
    try {
      long startNs = System.nanoTime();
      for (ClusterNode node : cluster.nodes()) {
        node.launch();
      }
      for (ClusterNode node : cluster.nodes()) {
        node.connect(startNs);
      }
      isUp = true;
      return cluster;
    } finally {
      if (!isUp) {
        cluster.close();
      }
    }
  }

  /** All nodes, in the order of the options. */
  public List<ClusterNode> nodes() {
    return List.copyOf(nodes.values());
  }

  /**
   * Returns the node with this name.
   *
   * @throws IllegalArgumentException if no node has this name
   */
  public ClusterNode node(String name) {
    ClusterNode node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException("no node " + name + " among " + nodes.keySet());
    }
    return node;
  }

  /** Gives every node this program. */
  public void run(NodeProgram program) {
    nodes.values().forEach(node -> node.run(program));
  }

  /**
   * Waits until all programs have ended, except the programs of killed nodes.
   *
   * @throws ClusterException as soon as a program has failed, or when the usual limit has passed
   */
  public void join() throws InterruptedException {
    await(
        () ->
            nodes.values().stream().allMatch(node -> node.isOver() || !node.hasProgram())
                ? ""
                : null,
        () -> "not all have ended",
        options.limit());
  }

  /** Waits with the usual limit; see {@link #awaitBarrier(String, Duration)}. */
  public void awaitBarrier(String name) throws InterruptedException {
    awaitBarrier(name, options.limit());
  }

  /**
   * Waits until all nodes of a barrier have passed the barrier once more than in the last call of
   * this method; the test itself does not take part.
   *
   * @throws ClusterException naming the missing nodes if the barrier is not passed in time, or if a
   *     node fails
   */
  public void awaitBarrier(String name, Duration limit) throws InterruptedException {
    long seen = lock.read(() -> roundsSeen.getOrDefault(name, 0L));
    await(() -> meetings.rounds(name) > seen ? "" : null, () -> meetings.missingAt(name), limit);
    lock.change(() -> roundsSeen.put(name, seen + 1));
  }

  /** Publishes a value to all nodes; the value outlives every node. */
  public void publish(String key, String value) {
    NodeHandle.checkValue(key, value);
    lock.change(
        () -> {
          if (!meetings.publish(TEST, key, value)) {
            throw new IllegalStateException("more than " + MeetingPoint.MOST_KEYS + " values");
          }
        });
  }

  /** Waits with the usual limit; see {@link #await(String, Duration)}. */
  public String await(String key) throws InterruptedException {
    return await(key, options.limit());
  }

  /**
   * Returns the value of a key, once a node or the test has published this value.
   *
   * @throws ClusterException if the value is not published in time, or if a node fails
   */
  public String await(String key, Duration limit) throws InterruptedException {
    return await(() -> meetings.value(key), () -> "nobody has published \"" + key + "\"", limit);
  }

  private interface Wanted {
    @Nullable String value();
  }

  private interface Complaint {
    String text();
  }

  private String await(Wanted wanted, Complaint complaint, Duration limit)
      throws InterruptedException {
    lock.await(() -> wanted.value() != null || firstFailed() != null, limit);
    return lock.read(
        () -> {
          String value = wanted.value();
          ClusterNode failed = firstFailed();
          if (failed != null) {
            throw failed.seenFailure();
          }
          if (value == null) {
            throw new ClusterException(
                "after " + limit.toMillis() + " ms " + complaint.text() + "; " + everybody());
          }
          return value;
        });
  }

  private @Nullable ClusterNode firstFailed() {
    for (ClusterNode node : nodes.values()) {
      if (node.unseenFailure() != null) {
        return node;
      }
    }
    return null;
  }

  private String everybody() {
    StringBuilder text = new StringBuilder("all nodes:");
    nodes.forEach(
        (name, node) ->
            text.append(' ').append(name).append(": ").append(node.doing()).append(';'));
    return text.substring(0, text.length() - 1);
  }

  /** Returns the failures of nodes that no caller has heard of by {@link ClusterNode#join}. */
  public List<String> failures() {
    return lock.read(
        () ->
            nodes.values().stream()
                .map(ClusterNode::unseenFailure)
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .toList());
  }

  /**
   * Makes every node print the stacks of its threads to its output, if the node can; waits for the
   * stacks, some seconds at most.
   */
  public void dumpThreads() throws InterruptedException {
    lock.change(() -> nodes.values().forEach(ClusterNode::requestDump));
    lock.await(() -> nodes.values().stream().noneMatch(ClusterNode::isDumping), DUMP_LIMIT);
  }

  /** Prints the last output of all nodes, each line with the name of its node. */
  public void printOutput(PrintStream to) {
    for (ClusterNode node : nodes.values()) {
      for (String line : node.output()) {
        to.println("[" + node.name() + "] " + line);
      }
    }
  }

  /** Kills every process that is left, and waits until all are gone. Idempotent. */
  @Override
  public void close() {
    lock.change(() -> nodes.values().forEach(ClusterNode::destroy));
    boolean isInterrupted = Thread.interrupted();
    try {
      for (ClusterNode node : nodes.values()) {
        if (!node.awaitGone()) {
          throw new ClusterException(node.name() + " is still there after SIGKILL");
        }
      }
    } catch (InterruptedException e) {
      isInterrupted = true;
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
