package io.millrace.api;

import io.millrace.transfer.CallOutcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that asks one call after the other in each of its lanes, and expects its own bytes back.
 * Lanes are virtual threads.
 */
final class HonestCaller implements AutoCloseable {
  /** The kinds of calls. */
  enum Kind {
    SMALL(64, 2),
    /** Each call of the kind {@code LATER} takes a causality slot. */
    LATER(64, 2),
    LARGE(50_000, 1);

    private final int bytes;
    private final int lanes;

    Kind(int bytes, int lanes) {
      this.bytes = bytes;
      this.lanes = lanes;
    }

    private UnaryRequest request(byte[] payload) {
      return this == LATER
          ? new UnaryRequest(HostileServerMain.LATER, payload, TransferOptions.DEFAULTS.withToken())
          : UnaryRequest.of(HostileServerMain.ECHO, payload);
    }
  }

  /** The results of the calls of one kind in one phase. */
  static final class Series {
    final OutcomeTally outcomes = new OutcomeTally();
    private final ConcurrentLinkedQueue<Long> latenciesNs = new ConcurrentLinkedQueue<>();

    /** Returns the latency at this quantile of the successful calls. */
    static long quantileNs(List<Series> all, double part) {
      long[] sorted =
          all.stream()
              .flatMap(series -> series.latenciesNs.stream())
              .mapToLong(Long::longValue)
              .sorted()
              .toArray();
      return sorted.length == 0
          ? 0
          : sorted[Math.min(sorted.length - 1, (int) (sorted.length * part))];
    }
  }

  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Transport transport;
  private final Peer server;
  private final long number;
  private final AtomicLong calls = new AtomicLong();
  private final ConcurrentLinkedQueue<String> troubles = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile Map<Kind, Series> phase = phase();
  private volatile boolean stopped;

  HonestCaller(Transport transport, String server, long number) {
    this.transport = transport;
    this.server = transport.peer(server);
    this.number = number;
  }

  private static Map<Kind, Series> phase() {
    Map<Kind, Series> phase = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      phase.put(kind, new Series());
    }
    return phase;
  }

  /** Calls in all lanes until the stop. */
  void start() {
    for (Kind kind : Kind.values()) {
      for (int lane = 0; lane < kind.lanes; lane++) {
        threads.add(Thread.ofVirtual().start(() -> lane(kind)));
      }
    }
  }

  private void lane(Kind kind) {
    try {
      while (!stopped) {
        ask(kind);
        LockSupport.parkNanos(PAUSE_NS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      troubles.add("a lane of client " + number + " ended: " + e);
    }
  }

  /** Makes one call. */
  void ask(Kind kind) throws InterruptedException {
    Series series = Objects.requireNonNull(phase.get(kind));
    byte[] payload = new byte[kind.bytes];
    long call = calls.incrementAndGet();
    new Random(number << 40 | call).nextBytes(payload);
    ByteBuffer.wrap(payload).putLong(number).putLong(call);
    long startNs = System.nanoTime();
    byte[] answer = series.outcomes.await(Raw.unary(server, kind.request(payload)));
    if (answer == null) {
      return;
    }
    series.latenciesNs.add(System.nanoTime() - startNs);
    if (!Arrays.equals(payload, answer)) {
      long start = answer.length < Long.BYTES ? 0 : ByteBuffer.wrap(answer).getLong();
      troubles.add(number + "-" + call + " got " + answer.length + " bytes of " + start);
    }
  }

  /** Returns the results of the calls since the last phase, and begins a new phase. */
  Map<Kind, Series> nextPhase() {
    Map<Kind, Series> ended = phase;
    phase = phase();
    return ended;
  }

  /** Returns the number of successful calls in this phase. */
  long done() {
    return phase.values().stream().mapToLong(series -> series.outcomes.count(CallOutcome.OK)).sum();
  }

  /** Returns the wrong answers, and the lanes that ended unexpectedly. */
  List<String> troubles() {
    return List.copyOf(troubles);
  }

  Transport transport() {
    return transport;
  }

  /** Waits for the last call of each lane. */
  void stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Override
  public void close() {
    transport.close();
  }
}
