package io.millrace.path;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.body.RequestScreen;
import io.millrace.body.SharedPayload;
import io.millrace.body.SharedSealer;
import io.millrace.ends.ElementInlet;
import io.millrace.ends.StreamEnd;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.peer.TestCall;
import io.millrace.path.stream.StreamAcceptor;
import io.millrace.path.stream.StreamCall;
import io.millrace.path.stream.StreamOffer;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Calls, bulk writes, broadcasts and streams of a path, both ways at once, over a network that
 * loses and reorders.
 */
class PathPairTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId SINK = RouteId.of("sink");
  private static final RouteId FLOW = RouteId.of("flow");
  private static final RouteId COPY = RouteId.of("copy");
  private static final RouteId COUNTED = RouteId.of("counted");
  private static final int CALLS = 200;
  private static final int ELEMENTS = 500;
  private static final int BULK_BYTES = 1 << 20;
  private static final int BROADCAST_BYTES = 100_000;
  private static final int COPIES = 3;
  private static final int FEW_ELEMENTS = 12;
  private static final int SMALL_BULK_BYTES = 40_000;
  private static final int ELEMENT_BYTES = 1_200;
  private static final int SMALL_WINDOW_BYTES = 20_000;
  private static final int OPENING_BYTES = 12_000;
  private static final int FEW_DATAGRAMS = 20;
  private static final int SHORTER_THAN_REFUSAL_BYTES = 400;
  private static final int ECHOED_BYTES = 7_000;
  private static final int STEPS_AFTER = 150;
  private static final long MOST_NS = TimeUnit.SECONDS.toNanos(60);

  private PathPair pair;
  private byte[] bulk;

  @BeforeEach
  void open() throws Exception {
    pair = new PathPair(7);
    bulk = new byte[BULK_BYTES];
    new SplittableRandom(1).nextBytes(bulk);
    serve(pair.left);
    serve(pair.right);
  }

  private static void serve(PathPair.Side side) {
    side.lab.routes.add(
        ECHO, call -> call.reply(new SegmentBuffer(new byte[16]), 0, call.payloadLength()));
  }

  private static Memory sink(PathPair.Side side) {
    Memory memory = new Memory();
    side.lab.routes.add(
        SINK,
        (caller, priority, headers, bytes) -> CompletableFuture.<BodyTarget>completedStage(memory));
    return memory;
  }

  private static TestCall call(PathPair.Side side, TestCall call) {
    side.lab.handle(side.link).submit(call);
    return call;
  }

  private static List<TestCall> calls(PathPair.Side side) {
    List<TestCall> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      calls.add(call(side, new TestCall(side.link, ECHO.id(), 16)));
    }
    return calls;
  }

  private TestCall write(PathPair.Side side, int bytes) {
    return call(
        side, new TestCall(side.link, SINK.id(), 3, new byte[0], new ArraySource(bulk, 0, bytes)));
  }

  /** Seals the bulk once and writes the sealed bulk several times. */
  private List<TestCall> broadcast(PathPair.Side side) {
    List<TestCall> calls = new ArrayList<>();
    SharedSealer.start(
        side.lab.services.context().bodies(),
        new ArraySource(bulk, 0, BROADCAST_BYTES),
        new byte[0],
        Protection.SEALED,
        new SharedSealer.Listener() {
          @Override
          public void onSealed(SharedPayload payload) {
            payload.retain(COPIES - 1);
            for (int i = 0; i < COPIES; i++) {
              calls.add(call(side, new TestCall(side.link, COPY.id(), payload)));
            }
          }

          @Override
          public void onFailed(CallOutcome outcome, String text) {
            throw new AssertionError(text);
          }
        });
    return calls;
  }

  private static List<Memory> copies(PathPair.Side side) {
    List<Memory> copies = new ArrayList<>();
    side.lab.routes.add(
        COPY,
        (caller, priority, headers, bytes) -> {
          copies.add(new Memory());
          return CompletableFuture.<BodyTarget>completedStage(copies.getLast());
        });
    return copies;
  }

  @Test
  void shouldCallAndWriteBothWaysThroughLossAndReordering() {
    pair.network.loss = 0.2;
    pair.network.duplication = 0.05;
    pair.network.reordering = 0.2;
    Memory atLeft = sink(pair.left);
    Memory atRight = sink(pair.right);
    List<Memory> copies = copies(pair.left);
    List<Memory> others = copies(pair.right);
    List<TestCall> calls = calls(pair.left);
    calls.addAll(calls(pair.right));
    calls.add(write(pair.left, BULK_BYTES));
    calls.add(write(pair.right, BULK_BYTES));
    calls.addAll(broadcast(pair.left));
    calls.addAll(broadcast(pair.right));
    assertEquals(2 * CALLS + 2 + 2 * COPIES, calls.size());

    assertTrue(
        pair.stepUntil(() -> calls.stream().allMatch(call -> call.endings > 0), MOST_NS),
        () -> calls.stream().filter(call -> call.endings == 0).count() + " are open");
    for (TestCall call : calls) {
      assertEquals(CallOutcome.OK, call.outcome, call.text);
      assertEquals(1, call.endings);
    }
    assertArrayEquals(bulk, atLeft.bytes.toByteArray());
    assertArrayEquals(bulk, atRight.bytes.toByteArray());
    byte[] copied = Arrays.copyOf(bulk, BROADCAST_BYTES);
    copies.addAll(others);
    assertEquals(2 * COPIES, copies.size());
    copies.forEach(copy -> assertArrayEquals(copied, copy.bytes.toByteArray()));
    assertNoFaults();
  }

  private void assertNoFaults() {
    assertEquals(List.of(), pair.left.lab.faults);
    assertEquals(List.of(), pair.right.lab.faults);
    assertTrue(
        pair.network.dropped() > pair.network.sent() / 10,
        () -> pair.network.dropped() + " of " + pair.network.sent() + " lost");
  }

  /** Each side opens a stream, whose elements the other side sends back. */
  @Test
  void shouldCarryStreamsBothWaysThroughLossAndReordering() {
    pair.network.loss = 0.2;
    pair.network.reordering = 0.2;
    pair.network.mtuBytes = 1_400;
    pair.network.bytesPerSecond = 2_000_000;
    Echoes atLeft = new Echoes(pair.left);
    Echoes atRight = new Echoes(pair.right);
    Elements fromLeft = new Elements(pair.left, ELEMENTS);
    Elements fromRight = new Elements(pair.right, ELEMENTS);

    boolean ended =
        pair.stepUntil(
            () -> {
              atLeft.pump();
              atRight.pump();
              boolean isLeftDone = fromLeft.pump();
              return fromRight.pump() && isLeftDone;
            },
            MOST_NS);

    assertTrue(ended, () -> fromLeft.back.size() + " and " + fromRight.back.size() + " came back");
    for (Elements elements : List.of(fromLeft, fromRight)) {
      assertEquals(CallOutcome.OK, elements.outcome());
      // The headers of the response come first.
      assertEquals(ELEMENTS + 1, elements.back.size());
      for (int i = 0; i < ELEMENTS; i++) {
        assertEquals(i, elements.back.get(i + 1).length);
      }
    }
    assertNoFaults();
  }

  /**
   * A small run of every pattern loses a different datagram each time; then the run repeats a
   * different datagram each time.
   */
  @Test
  void shouldEndWellWhicheverDatagramIsLostOrRepeated() throws Exception {
    long datagrams = runOfEveryPattern();
    assertTrue(datagrams >= 15, () -> datagrams + " datagrams");
    for (long number = 1; number <= datagrams; number++) {
      open();
      pair.network.losing = number;
      runOfEveryPattern();
      open();
      pair.network.repeating = number;
      runOfEveryPattern();
    }
  }

  /** Returns the number of datagrams in the run. */
  private long runOfEveryPattern() {
    Memory atRight = sink(pair.right);
    AtomicInteger served = new AtomicInteger();
    pair.right.lab.routes.add(
        COUNTED,
        call -> {
          served.incrementAndGet();
          call.reply(new SegmentBuffer(new byte[16]), 0, call.payloadLength());
        });
    Echoes echoes = new Echoes(pair.right);
    TestCall counted = call(pair.left, new TestCall(pair.left.link, COUNTED.id(), 16));
    TestCall write = write(pair.left, SMALL_BULK_BYTES);
    Elements elements = new Elements(pair.left, FEW_ELEMENTS);
    assertTrue(
        pair.stepUntil(
            () -> {
              echoes.pump();
              return elements.pump() && counted.endings > 0 && write.endings > 0;
            },
            MOST_NS),
        () ->
            "datagram "
                + pair.network.losing
                + " lost or "
                + pair.network.repeating
                + " repeated: open");
    // A repeated datagram arrives after the end, too.
    for (int i = 0; i < STEPS_AFTER; i++) {
      pair.step();
    }
    assertEquals(CallOutcome.OK, counted.outcome, counted.text);
    assertEquals(CallOutcome.OK, write.outcome, write.text);
    assertEquals(CallOutcome.OK, elements.outcome());
    assertEquals(FEW_ELEMENTS + 1, elements.back.size());
    assertEquals(1, served.get());
    assertEquals(SMALL_BULK_BYTES, atRight.bytes.size());
    assertEquals(List.of(), pair.left.lab.faults);
    assertEquals(List.of(), pair.right.lab.faults);
    assertEquals(pair.network.losing == 0 ? 0 : 1, pair.network.dropped());
    return pair.network.sent();
  }

  @Test
  void shouldSendNothingOnceAllIsDone() {
    List<TestCall> calls = calls(pair.left);
    assertTrue(pair.stepUntil(() -> calls.stream().allMatch(call -> call.endings > 0), MOST_NS));
    assertTrue(pair.stepUntil(() -> pair.left.path().isRestful(), MOST_NS));
    long carried = pair.network.sent();
    for (int i = 0; i < 100; i++) {
      pair.step();
    }
    assertTrue(
        pair.network.sent() - carried <= 4,
        () -> pair.network.sent() - carried + " datagrams at rest");
  }

  /**
   * The answer that refuses an opening comes late: segments have gone behind the opening, a body
   * that the peer took. Their credit comes back all the same; rule S-11.
   */
  @Test
  void shouldGiveCreditBackForSegmentsBehindARefusedOpening() throws Exception {
    pair = new PathPair(7, SMALL_WINDOW_BYTES);
    serve(pair.right);
    pair.right.lab.routes.add(FLOW, StreamPattern.BIDIRECTIONAL, new Refusing());
    sink(pair.left);
    TestCall write = write(pair.right, BULK_BYTES);
    assertTrue(pair.stepUntil(() -> pair.network.sent() > FEW_DATAGRAMS, MOST_NS));
    long leftBytes = pair.left.sentBytes;
    // From now on the right side's window is full: acknowledgements go, and the refusal waits.
    pair.network.right().mtuBytes = SHORTER_THAN_REFUSAL_BYTES;
    StreamCall stream = open(StreamPattern.BIDIRECTIONAL);
    for (int i = 0; i < FEW_ELEMENTS; i++) {
      stream.ends().outlet().offer(new byte[ELEMENT_BYTES]);
    }

    for (int i = 0; i < STEPS_AFTER; i++) {
      pair.step();
    }
    assertNull(stream.ends().inlet().end());
    // The congestion window of the left side holds the last segments back.
    assertTrue(
        pair.left.sentBytes - leftBytes >= OPENING_BYTES + FEW_ELEMENTS / 2 * ELEMENT_BYTES,
        "fewer than half of the segments went behind the opening");
    pair.network.right().mtuBytes = Integer.MAX_VALUE;
    assertTrue(pair.stepUntil(() -> stream.ends().inlet().end() != null, MOST_NS));
    StreamEnd end = Objects.requireNonNull(stream.ends().inlet().end());
    assertEquals(CallOutcome.REFUSED, end.outcome(), end.text());

    TestCall next = call(pair.left, new TestCall(pair.left.link, ECHO.id(), ECHOED_BYTES));
    assertTrue(pair.stepUntil(() -> next.endings > 0, MOST_NS), "no credit is left");
    assertEquals(CallOutcome.OK, next.outcome, next.text);
    assertTrue(pair.stepUntil(() -> write.endings > 0, MOST_NS));
    assertTrue(pair.stepUntil(() -> pair.left.path().isRestful(), MOST_NS), "the slot is kept");
    assertEquals(List.of(), pair.left.lab.faults);
    assertEquals(List.of(), pair.right.lab.faults);
  }

  /**
   * The acceptor of a stream throws, and the stream's opening came as a body: the path ends, as
   * after an opening in a frame, and the opener is told.
   */
  @Test
  void shouldEndThePathOfAnAcceptorThatThrows() {
    pair.right.lab.routes.add(
        FLOW,
        StreamPattern.STREAMING_RESPONSE,
        offer -> {
          throw new IllegalStateException("planted");
        });
    open(StreamPattern.STREAMING_RESPONSE);
    assertTrue(pair.stepUntil(() -> pair.right.path().packets().isOver(), MOST_NS));
  }

  /** Opens a stream from the left side, with an opening that goes as a body. */
  private StreamCall open(int pattern) {
    StreamCall stream =
        new StreamCall(
            pair.left.link,
            pair.left.lab.handle(pair.left.link).port(),
            pattern,
            new StreamCall.Opening(FLOW.id(), 3, new byte[1], new byte[OPENING_BYTES]),
            pair.left.lab.services.context().settings());
    pair.left.lab.handle(pair.left.link).submit(stream);
    return stream;
  }

  /** Refuses each opening that comes as a body, with a long text. */
  private static final class Refusing implements StreamAcceptor {
    @Override
    public void onStream(StreamOffer offer) {
      throw new AssertionError("the opening was refused");
    }

    @Override
    public RequestScreen screen() {
      return (caller, priority, headers, payloadBytes) -> {
        throw new IllegalArgumentException("x".repeat(SHORTER_THAN_REFUSAL_BYTES));
      };
    }
  }

  /** The caller's ends of a stream. */
  private static final class Elements {
    final List<byte[]> back = new ArrayList<>();
    private final StreamCall call;
    private final int elements;
    private int offered;

    Elements(PathPair.Side side, int elements) {
      this.elements = elements;
      call =
          new StreamCall(
              side.link,
              side.lab.handle(side.link).port(),
              StreamPattern.BIDIRECTIONAL,
              new StreamCall.Opening(FLOW.id(), 3, new byte[0], new byte[0]),
              side.lab.services.context().settings());
      side.lab.handle(side.link).submit(call);
    }

    /** Offers and takes as many elements as possible; true once the other side's flow has ended. */
    boolean pump() {
      while (offered < elements && call.ends().outlet().hasRoom()) {
        call.ends().outlet().offer(new byte[offered++]);
        if (offered == elements) {
          call.ends().outlet().end();
        }
      }
      return take(call.ends().inlet(), back);
    }

    CallOutcome outcome() {
      return Objects.requireNonNull(call.ends().inlet().end()).outcome();
    }

    /** Takes the available elements; true once no more elements can come. */
    static boolean take(ElementInlet inlet, List<byte[]> into) {
      StreamEnd end = inlet.end();
      for (byte[] element = inlet.poll(); element != null; element = inlet.poll()) {
        into.add(element);
      }
      return end != null && inlet.isEmpty();
    }
  }

  /** The served ends of streams: each element goes back. */
  private static final class Echoes {
    private final List<StreamOffer> offers = new ArrayList<>();
    private final List<byte[]> held = new ArrayList<>();

    Echoes(PathPair.Side side) {
      side.lab.routes.add(
          FLOW,
          StreamPattern.BIDIRECTIONAL,
          offer -> {
            offers.add(offer);
            held.add(new byte[0]);
          });
    }

    void pump() {
      for (StreamOffer offer : List.copyOf(offers)) {
        boolean isLast = Elements.take(offer.stream().inlet(), held);
        while (!held.isEmpty() && offer.stream().outlet().hasRoom()) {
          offer.stream().outlet().offer(held.removeFirst());
        }
        if (isLast && held.isEmpty()) {
          offer.stream().outlet().end();
          offers.remove(offer);
        }
      }
    }
  }

  /** Takes the bytes of a body, on the thread that made the target. */
  private static final class Memory implements BodyTarget {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Thread owner = Thread.currentThread();

    @Override
    public void write(byte[] from, int offset, int length) {
      assertSame(owner, Thread.currentThread());
      bytes.write(from, offset, length);
    }

    @Override
    public void complete() {
      // The bytes are complete already.
    }

    @Override
    public void abort(Throwable cause) {
      throw new AssertionError("not in these tests", cause);
    }
  }
}
