package io.millrace.api;

import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/**
 * What one node asks of the others, of each in several lanes at once: in a lane one transfer
 * follows the other, whatever became of the one before, until {@link #stop}. All is written to the
 * log, and what comes back is compared with what must. Any thread.
 */
final class Traffic {
  static final int CALL_BYTES = 200;
  static final int ANSWER_BYTES = 120;
  static final int BODY_BYTES = 1 << 18;
  static final int ELEMENTS = 60;
  static final RouteId CALL = RouteId.of("call");
  static final RouteId WORKER_CALL = RouteId.of("worker-call");
  static final RouteId BODY = RouteId.of("body");
  static final RouteId ECHO = RouteId.of("echo");

  private static final int ELEMENT_BYTES = 300;
  private static final int NODE_SHIFT = 40;
  private static final int KIND_BITS = 2;

  /** From the end of a transfer to the next one in its lane. */
  private static final long NEXT_MS = 10;

  /** Between two pieces of a body, and between two elements of a stream. */
  private static final long PAUSE_MS = 1;

  private static final int SEALED_ONE_IN = 4;

  /** Ways to ask. */
  enum Kind {
    /** A call that is answered by the executor and completes a future. */
    CALL,
    /** A call that is answered by the worker and completes on the worker. */
    WORKER_CALL,
    /** A bulk write. */
    BODY,
    /** A stream whose elements come back. */
    STREAM
  }

  /** Transfers of one kind to one node, one after the other. */
  private static final class Lane {
    final int to;
    final Peer peer;
    final Kind kind;
    final AtomicInteger open = new AtomicInteger();
    final AtomicLong done = new AtomicLong();
    final AtomicLong failed = new AtomicLong();

    Lane(int to, Peer peer, Kind kind) {
      this.to = to;
      this.peer = peer;
      this.kind = kind;
    }
  }

  private final Transport transport;
  private final int self;
  private final TrafficLog log;
  private final List<Lane> lanes = new ArrayList<>();
  private final AtomicLong ids = new AtomicLong();
  private final ScheduledExecutorService pace =
      Executors.newSingleThreadScheduledExecutor(
          task -> Thread.ofPlatform().daemon().name("pace").unstarted(task));
  private volatile boolean isStopped;

  Traffic(Transport transport, int self, TrafficLog log) {
    this.transport = transport;
    this.self = self;
    this.log = log;
  }

  static Kind kind(long id) {
    return Kind.values()[(int) (id & (1 << KIND_BITS) - 1)];
  }

  /** What stands for the bytes of a transfer, all of them and nothing else. */
  static long digest(long id) {
    int bytes =
        switch (kind(id)) {
          case CALL, WORKER_CALL -> CALL_BYTES;
          case BODY -> BODY_BYTES;
          case STREAM -> ELEMENTS;
        };
    return id << Byte.SIZE ^ bytes;
  }

  static byte[] element(long id, int number) {
    return KnownBytes.of(id * ELEMENTS + number, ELEMENT_BYTES);
  }

  /** Begins to ask this node: for calls in two lanes of each kind, for the rest in one. */
  void begin(int to, Peer peer) {
    for (Kind kind : Kind.values()) {
      boolean isCall = kind == Kind.CALL || kind == Kind.WORKER_CALL;
      for (int i = 0; i < (isCall ? 2 : 1); i++) {
        Lane lane = new Lane(to, peer, kind);
        lanes.add(lane);
        pace.execute(() -> next(lane));
      }
    }
  }

  /** Begins nothing more; what is under way goes on. */
  void stop() throws InterruptedException, ExecutionException {
    pace.submit(() -> isStopped = true).get();
  }

  /** Whether nothing is under way, after the stop. */
  boolean isSettled() {
    return open() == 0;
  }

  /** Transfers under way. */
  int open() {
    return lanes.stream().mapToInt(lane -> lane.open.get()).sum();
  }

  /** Transfers under way to one node. */
  int open(int to) {
    return lanes.stream().filter(lane -> lane.to == to).mapToInt(lane -> lane.open.get()).sum();
  }

  /** Whether a transfer is under way in each lane to this node. */
  boolean areAllOpen(int to) {
    return lanes.stream().filter(lane -> lane.to == to).allMatch(lane -> lane.open.get() == 1);
  }

  /** Whether each lane to this node has had more transfers that ended well than it had then. */
  boolean areAllBeyond(int to, List<Long> then) {
    List<Long> now = dones(to);
    for (int i = 0; i < now.size(); i++) {
      if (now.get(i) <= then.get(i)) {
        return false;
      }
    }
    return true;
  }

  /** How many transfers have ended well so far, for each lane to this node. */
  List<Long> dones(int to) {
    return lanes.stream().filter(lane -> lane.to == to).map(lane -> lane.done.get()).toList();
  }

  /** The least that one of the lanes to this node has had of transfers that failed. */
  long leastFailed(int to) {
    return lanes.stream()
        .filter(lane -> lane.to == to)
        .mapToLong(lane -> lane.failed.get())
        .min()
        .orElseThrow();
  }

  private void next(Lane lane) {
    if (isStopped) {
      return;
    }
    long id =
        ((long) self << NODE_SHIFT) | ids.incrementAndGet() << KIND_BITS | lane.kind.ordinal();
    lane.open.incrementAndGet();
    log.sent(id, lane.to, digest(id));
    try {
      ask(lane, id);
    } catch (RuntimeException e) {
      log.violated("unexpected exception", lane.kind + " " + id + ": " + e);
    }
  }

  private void ask(Lane lane, long id) {
    TransferOptions options = TransferOptions.DEFAULTS.withHeaders(KnownBytes.ofLong(id));
    switch (lane.kind) {
      case CALL -> {
        var _ =
            lane.peer
                .unary(new UnaryRequest(CALL, KnownBytes.of(id, CALL_BYTES), options))
                .whenComplete((answer, failure) -> onAnswer(lane, id, answer, failure));
      }
      case WORKER_CALL ->
          lane.peer.unary(
              new UnaryRequest(WORKER_CALL, KnownBytes.of(id, CALL_BYTES), options),
              new Answered(lane, id));
      case BODY -> write(lane, id, options);
      case STREAM -> stream(lane, id, options);
    }
  }

  private void onAnswer(
      Lane lane, long id, @Nullable UnaryResponse answer, @Nullable Throwable failure) {
    if (answer != null && !KnownBytes.isWhole(~id, answer.payload(), ANSWER_BYTES)) {
      log.violated("integrity", "call " + id + " has another answer");
    }
    onEnd(lane, id, failure);
  }

  /** The end of a call on the worker's thread. */
  private final class Answered implements WorkerCompletion {
    private final Lane lane;
    private final long id;

    Answered(Lane lane, long id) {
      this.lane = lane;
      this.id = id;
    }

    @Override
    public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {
      byte[] payload = new byte[payloadLength];
      buffer.getBytes(payloadOffset, payload);
      onAnswer(lane, id, UnaryResponse.of(payload), null);
    }

    @Override
    public void onFailure(CallException failure) {
      onEnd(lane, id, failure);
    }
  }

  private void write(Lane lane, long id, TransferOptions options) {
    long number = id >>> KIND_BITS;
    boolean isLengthKnown = (number & 1) == 0;
    // What JVMs of tests encipher, they do slowly.
    Protection protection =
        number % SEALED_ONE_IN == 0 ? Protection.SEALED : Protection.AUTHENTICATED;
    KnownSource source = KnownSource.paced(id, BODY_BYTES, isLengthKnown, this::later);
    var _ =
        lane.peer
            .bulkWrite(BODY, source, options.withProtection(protection))
            .whenComplete(
                (receipt, failure) -> {
                  if (receipt != null && receipt.bytes() != BODY_BYTES) {
                    log.violated("integrity", "body " + id + ": " + receipt);
                  }
                  onEnd(lane, id, failure);
                });
  }

  private void stream(Lane lane, long id, TransferOptions options) {
    KnownElements back = new KnownElements(id, log);
    var _ =
        Source.range(0, ELEMENTS - 1)
            .map(number -> element(id, number))
            .throttle(1, Duration.ofMillis(PAUSE_MS))
            .viaMat(lane.peer.bidirectional(ECHO, options), Keep.right())
            .map(back::take)
            .runWith(Sink.ignore(), transport.materializer())
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    back.onWhole();
                  }
                  onEnd(lane, id, failure);
                });
  }

  private void onEnd(Lane lane, long id, @Nullable Throwable failure) {
    CallOutcome outcome = log.resolved(id, failure);
    lane.open.decrementAndGet();
    (outcome == CallOutcome.OK ? lane.done : lane.failed).incrementAndGet();
    if (outcome != CallOutcome.CLOSED) {
      var _ = pace.schedule(() -> next(lane), NEXT_MS, TimeUnit.MILLISECONDS);
    }
  }

  private void later(Runnable task) {
    var _ = pace.schedule(task, PAUSE_MS, TimeUnit.MILLISECONDS);
  }
}
