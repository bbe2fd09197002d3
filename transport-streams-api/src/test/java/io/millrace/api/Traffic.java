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
 * The transfers of one node to the other nodes, in several lanes at once to each node. In a lane
 * one transfer follows the other, after a success or a failure, until {@link #stop}. The log
 * records all transfers, and the class compares each answer with the expected answer. Any thread.
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

  /** The pause between two transfers of a lane. */
  private static final long NEXT_MS = 10;

  /** The pause between two pieces of a body, and between two elements of a stream. */
  private static final long PAUSE_MS = 1;

  private static final int SEALED_ONE_IN = 4;

  /** The kinds of transfers. */
  enum Kind {
    /** A call answered by the executor, with a future as completion. */
    CALL,
    /** A call answered by the worker, with a completion on the worker. */
    WORKER_CALL,
    /** A bulk write. */
    BODY,
    /** A stream with its elements sent back. */
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

  /** Returns a digest over exactly the bytes of a transfer. */
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

  /**
   * Begins the transfers to this node: two lanes for each kind of call, one lane for each other
   * kind.
   */
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

  /** Begins no more transfers; transfers under way go on. */
  void stop() throws InterruptedException, ExecutionException {
    pace.submit(() -> isStopped = true).get();
  }

  /** Whether no transfer is under way, after the stop. */
  boolean isSettled() {
    return open() == 0;
  }

  /** Returns the number of transfers under way. */
  int open() {
    return lanes.stream().mapToInt(lane -> lane.open.get()).sum();
  }

  /** Returns the number of transfers under way to one node. */
  int open(int to) {
    return lanes.stream().filter(lane -> lane.to == to).mapToInt(lane -> lane.open.get()).sum();
  }

  /** Whether a transfer is under way in each lane to this node. */
  boolean areAllOpen(int to) {
    return lanes.stream().filter(lane -> lane.to == to).allMatch(lane -> lane.open.get() == 1);
  }

  /** Whether each lane to this node has more successful transfers than at the earlier count. */
  boolean areAllBeyond(int to, List<Long> then) {
    List<Long> now = dones(to);
    for (int i = 0; i < now.size(); i++) {
      if (now.get(i) <= then.get(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of successful transfers so far, for each lane to this node. */
  List<Long> dones(int to) {
    return lanes.stream().filter(lane -> lane.to == to).map(lane -> lane.done.get()).toList();
  }

  /** Returns the least number of failed transfers over the lanes to this node. */
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
      lane.open.decrementAndGet();
    }
  }

  private void ask(Lane lane, long id) {
    TransferOptions options = TransferOptions.DEFAULTS.withHeaders(KnownBytes.ofLong(id));
    switch (lane.kind) {
      case CALL -> {
        var _ =
            Raw.unary(lane.peer, new UnaryRequest(CALL, KnownBytes.of(id, CALL_BYTES), options))
                .whenComplete((answer, failure) -> onAnswer(lane, id, answer, failure));
      }
      case WORKER_CALL ->
          Raw.unary(
              lane.peer,
              new UnaryRequest(WORKER_CALL, KnownBytes.of(id, CALL_BYTES), options),
              new Answered(lane, id));
      case BODY -> write(lane, id, options);
      case STREAM -> {
        try {
          stream(lane, id, options);
        } catch (IllegalStateException e) {
          // As the materializer of a closed transport throws.
          onEnd(lane, id, new CallException(CallOutcome.CLOSED, String.valueOf(e.getMessage())));
        }
      }
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
    // The JVMs of tests encipher slowly, so only a part of the bodies is sealed.
    Protection protection =
        number % SEALED_ONE_IN == 0 ? Protection.SEALED : Protection.AUTHENTICATED;
    KnownSource source = KnownSource.paced(id, BODY_BYTES, isLengthKnown, this::later);
    var _ =
        Raw.bulkWrite(lane.peer, BODY, source, options.withProtection(protection))
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
            .viaMat(Raw.bidirectional(lane.peer, ECHO, options), Keep.right())
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
