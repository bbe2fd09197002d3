package io.millrace.testkit.path;

import io.millrace.path.network.PairNetwork;
import io.millrace.testkit.internal.path.PairWorker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Two workers with an encrypted path between them, for study: the production code of calls, bulk
 * writes, streams, acknowledgements, loss detection and congestion control, on the thread of the
 * test, without sockets, actors and handshakes. Time advances in steps of 100 us, only by {@link
 * #step} and {@link #stepUntil}; a step turns both workers. The pair draws losses and the like from
 * its seed.
 *
 * <p>Each method that changes the network applies from the next datagram on, and returns the pair.
 * Not thread-safe; a pair needs no close.
 */
public final class PathPair {
  private static final long STEP_NS = 100_000;

  /** Datagrams that the log keeps. */
  private static final int MOST_LOGGED = 10_000;

  private final PairNetwork network;
  private final PairSide left;
  private final PairSide right;
  private final ArrayDeque<PairDatagram> log = new ArrayDeque<>();
  private final List<Throwable> faults = new ArrayList<>();
  private long nowNs = PairWorker.START_NS;

  private PathPair(long seed) {
    network = new PairNetwork(seed, this::log);
    left = new PairSide(new PairWorker(network.left(), true, faults::add));
    right = new PairSide(new PairWorker(network.right(), false, faults::add));
  }

  /** A pair whose network loses nothing, and carries each datagram in 250 us. */
  public static PathPair of(long seed) {
    return new PathPair(seed);
  }

  /** The left side. */
  public PairSide left() {
    return left;
  }

  /** The right side. */
  public PairSide right() {
    return right;
  }

  /** Sets the time of a datagram's way. */
  public PathPair latency(Duration latency) {
    require(!latency.isNegative(), "a latency must not be negative");
    network.latencyNs = latency.toNanos();
    return this;
  }

  /** Sets the share of the datagrams that the network drops, 0 to 1. */
  public PathPair loss(double share) {
    network.loss = checked(share);
    return this;
  }

  /** Sets the share of the datagrams that arrive twice, 0 to 1. */
  public PathPair duplication(double share) {
    network.duplication = checked(share);
    return this;
  }

  /** Sets the share of the datagrams that take four times the latency, 0 to 1. */
  public PathPair reordering(double share) {
    network.reordering = checked(share);
    return this;
  }

  /** Sets the length in bytes above which the network drops datagrams. */
  public PathPair mtu(int bytes) {
    require(bytes > 0, "an MTU must be positive");
    network.mtuBytes = bytes;
    return this;
  }

  /**
   * Sets the rate of each direction, with a queue ahead of the wire; the network drops a datagram
   * that finds more than {@code queueBytes} in the queue.
   *
   * @param bytesPerSecond 0 for no bound
   */
  public PathPair rate(long bytesPerSecond, long queueBytes) {
    require(bytesPerSecond >= 0 && queueBytes >= 0, "a rate and a queue must not be negative");
    network.bytesPerSecond = bytesPerSecond;
    network.queueBytes = queueBytes;
    return this;
  }

  /** Drops the datagram of this number, counted from 1 over both directions; 0 for none. */
  public PathPair lose(long number) {
    network.losing = number;
    return this;
  }

  /** Lets the datagram of this number arrive a second time, 40 latencies late; 0 for none. */
  public PathPair repeat(long number) {
    network.repeating = number;
    return this;
  }

  /**
   * Turns the left side, then the right side, and advances the time by 100 us.
   *
   * @throws IllegalStateException if the code of a worker has thrown
   */
  public void step() {
    left.turn(nowNs);
    right.turn(nowNs);
    nowNs += STEP_NS;
    if (!faults.isEmpty()) {
      throw new IllegalStateException("a worker has thrown at " + time(), faults.getFirst());
    }
  }

  /**
   * Steps until the condition is true.
   *
   * @param most time of the pair
   * @return false if the condition is still false after this time
   */
  public boolean stepUntil(BooleanSupplier condition, Duration most) {
    long startNs = nowNs;
    while (!condition.getAsBoolean()) {
      if (nowNs - startNs >= most.toNanos()) {
        return false;
      }
      step();
    }
    return true;
  }

  /** The time of the pair, from 0 on. */
  public Duration time() {
    return Duration.ofNanos(nowNs - PairWorker.START_NS);
  }

  /** The newest 10,000 datagrams, in the order of their departure. */
  public List<PairDatagram> datagrams() {
    return List.copyOf(log);
  }

  /** The datagrams as a table, a line each: time in ms, direction, length in bytes, fate. */
  public String table() {
    StringBuilder table = new StringBuilder(PairDatagram.HEAD);
    log.forEach(datagram -> table.append('\n').append(datagram));
    return table.append('\n').toString();
  }

  private void log(long sentNs, PairNetwork.End from, int lengthBytes, PairNetwork.Fate fate) {
    if (log.size() == MOST_LOGGED) {
      log.removeFirst();
    }
    log.addLast(
        new PairDatagram(
            Duration.ofNanos(sentNs - PairWorker.START_NS),
            from == network.left(),
            lengthBytes,
            PairDatagram.fateOf(fate)));
  }

  private static double checked(double share) {
    require(share >= 0 && share <= 1, "a share must be from 0 to 1");
    return share;
  }

  private static void require(boolean isRight, String rule) {
    if (!isRight) {
      throw new IllegalArgumentException(rule);
    }
  }
}
