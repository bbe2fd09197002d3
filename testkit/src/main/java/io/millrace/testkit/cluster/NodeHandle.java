package io.millrace.testkit.cluster;

import io.millrace.testkit.cluster.Frame.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The view of a {@link NodeProgram} on its node and on the other nodes. Safe on any thread. Where a
 * method throws {@link ClusterException}, the message names the missing node or value.
 */
public final class NodeHandle {
  /** Bytes of a key or a published value at most, as UTF-8. */
  public static final int MOST_VALUE_BYTES = 16 * 1024;

  private static final int MOST_QUESTIONS = 16;
  private static final long GRACE_S = 20;
  private static final long LOOK_AGAIN_NS = 1_000_000;

  private final String name;
  private final int incarnation;
  private final List<String> names;
  private final Duration limit;
  private final ControlChannel channel;
  private final ConcurrentHashMap<Long, CompletableFuture<Frame>> open = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile String result = "";

  NodeHandle(
      String name, int incarnation, List<String> names, Duration limit, ControlChannel channel) {
    this.name = name;
    this.incarnation = incarnation;
    this.names = List.copyOf(names);
    this.limit = limit;
    this.channel = channel;
  }

  /** This node's name. */
  public String name() {
    return name;
  }

  /** Number of this life of the node, from 1. */
  public int incarnation() {
    return incarnation;
  }

  /** All nodes of the cluster, including this node. */
  public List<String> names() {
    return names;
  }

  /** All nodes of the cluster but this node. */
  public List<String> others() {
    return names.stream().filter(other -> !other.equals(name)).toList();
  }

  /** Meets all nodes, with the usual limit; see {@link #barrier(String, List, Duration)}. */
  public void barrier(String barrier) throws InterruptedException {
    barrier(barrier, names, limit);
  }

  /**
   * Waits until all of {@code parties} have come to this barrier, which then is ready for the next
   * round. A node that gives up, or is killed, does not count as arrived.
   *
   * @throws ClusterException if a party does not come in time, or if a missing party has failed
   */
  public void barrier(String barrier, List<String> parties, Duration limit)
      throws InterruptedException {
    if (!parties.contains(name) || !names.containsAll(parties)) {
      throw new IllegalArgumentException(name + " cannot meet " + parties + " among " + names);
    }
    checkValue(barrier, "");
    ask(Kind.ARRIVE, barrier, String.join(",", parties), limit);
  }

  /**
   * Publishes a value to all nodes; the cluster forgets the value when this life is killed or
   * followed by another.
   */
  public void publish(String key, String value) throws InterruptedException {
    checkValue(key, value);
    ask(Kind.PUBLISH, key, value, limit);
  }

  /**
   * Returns the value of a key, once a node or the test has published this value, with the usual
   * limit.
   */
  public String await(String key) throws InterruptedException {
    return await(key, limit);
  }

  /**
   * Returns the value of a key, once a node or the test has published this value.
   *
   * @throws ClusterException if the value is not published in time
   */
  public String await(String key, Duration limit) throws InterruptedException {
    checkValue(key, "");
    return ask(Kind.AWAIT, key, "", limit);
  }

  /**
   * Waits, with the usual limit, until a condition of this process holds. Asks for the condition
   * again and again on this thread.
   *
   * @param what the condition in words, for the message
   * @throws ClusterException if the condition does not hold in time
   */
  public void awaitUntil(String what, BooleanSupplier condition) throws InterruptedException {
    long startNs = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNs > limit.toNanos()) {
        throw new ClusterException(name + ": not within " + limit.toMillis() + " ms: " + what);
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.parkNanos(LOOK_AGAIN_NS);
    }
  }

  /** Sets the result that {@link ClusterNode#join} returns for this life. */
  public void result(String result) {
    checkValue("", result);
    this.result = result;
  }

  String result() {
    return result;
  }

  /** Whether this node was asked to end. */
  public boolean isStopping() {
    return stop.getCount() == 0;
  }

  /** Waits until this node is asked to end; its JVM ends anyway at the end of the test. */
  public void awaitStop() throws InterruptedException {
    stop.await();
  }

  static void checkValue(String key, String value) {
    int bytes =
        Math.max(
            key.getBytes(StandardCharsets.UTF_8).length,
            value.getBytes(StandardCharsets.UTF_8).length);
    if (bytes > MOST_VALUE_BYTES) {
      throw new IllegalArgumentException(bytes + " bytes are more than " + MOST_VALUE_BYTES);
    }
  }

  private String ask(Kind kind, String key, String value, Duration limit)
      throws InterruptedException {
    long id = ids.incrementAndGet();
    CompletableFuture<Frame> answer = new CompletableFuture<>();
    if (open.size() >= MOST_QUESTIONS) {
      throw new IllegalStateException("more than " + MOST_QUESTIONS + " waits at once");
    }
    open.put(id, answer);
    try {
      send(new Frame(kind, id, key, value));
      Frame answered = awaitAnswer(id, answer, limit);
      if (answered.kind() == Kind.REFUSED) {
        throw new ClusterException(name + ": " + answered.value());
      }
      return answered.value();
    } finally {
      open.remove(id);
    }
  }

  /**
   * Waits for an answer. After the limit this node gives up its question, and the harness replies
   * with the reason, or with an answer already under way.
   */
  private Frame awaitAnswer(long id, CompletableFuture<Frame> answer, Duration limit)
      throws InterruptedException {
    try {
      try {
        return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        send(new Frame(Kind.GIVE_UP, id, "", ""));
        return answer.get(GRACE_S, TimeUnit.SECONDS);
      }
    } catch (TimeoutException | ExecutionException e) {
      throw new ClusterException(name + ": the harness does not answer", e);
    }
  }

  private void send(Frame frame) {
    try {
      channel.send(frame);
    } catch (IOException e) {
      throw new ClusterException(name + ": the harness is gone", e);
    }
  }

  void onAnswer(Frame frame) {
    CompletableFuture<Frame> answer = open.get(frame.id());
    if (answer != null) {
      answer.complete(frame);
    }
  }

  void onStop() {
    stop.countDown();
  }
}
