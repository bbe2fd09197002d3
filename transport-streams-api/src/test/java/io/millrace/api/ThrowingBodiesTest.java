package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.testkit.internal.driver.ImpairedDriver;
import io.millrace.testkit.internal.driver.Impairment;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.udp.nio.NioUdpProvider;
import io.millrace.wire.RouteId;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sources, targets and acceptors that throw forbidden exceptions: the transfer ends with one clear
 * failure, both nodes keep no state of the transfer, and the next transfer is complete.
 */
@Timeout(120)
class ThrowingBodiesTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final RouteId FETCH = RouteId.of("fetch");
  private static final int BYTES = 190_000;
  private static final Impairment NONE = new Impairment(1, 0, 0, 0, 8, 0, 0);

  /** The pattern that moves the bytes. */
  enum Pattern {
    WRITE,
    READ,
    BROADCAST
  }

  /** The method that throws. */
  enum Place {
    ACCEPT,
    TARGET_START,
    READY,
    TARGET_WRITE,
    COMPLETE,
    /** After an ordinary failure of a write. */
    ABORT,
    LENGTH,
    SOURCE_START,
    READ,
    CLOSE,
    /** After an ordinary failure of a read. */
    CLOSE_AFTER_FAILURE;

    CallOutcome outcome() {
      if (this == ACCEPT) {
        return CallOutcome.REFUSED;
      }
      return isOfTarget() ? CallOutcome.TARGET_FAILED : CallOutcome.SOURCE_FAILED;
    }

    boolean isOfTarget() {
      return compareTo(LENGTH) < 0;
    }

    boolean isOnWayOut() {
      return this == ABORT || this == CLOSE_AFTER_FAILURE;
    }
  }

  /** The kinds of exceptions. */
  enum Thrown {
    ERROR,
    RUNTIME_EXCEPTION
  }

  /** A source and target that throws at one place, and counts its ends. */
  private static final class Throwing implements BodySource, BodyTarget {
    private final Place place;
    private final Thrown thrown;
    private final boolean waits;
    private final AtomicInteger ended = new AtomicInteger();
    private int left = BYTES;

    Throwing(Place place, Thrown thrown, boolean waits) {
      this.place = place;
      this.thrown = thrown;
      this.waits = waits;
    }

    void at(Place here) {
      if (here == place) {
        if (thrown == Thrown.ERROR) {
          throw new AssertionError("planted");
        }
        throw new IllegalStateException("planted");
      }
    }

    /** Both a source and a target have this. */
    @Override
    public boolean waitsForDevice() {
      return waits;
    }

    private void failBefore(Place next) throws IOException {
      if (place == next) {
        throw new IOException("planted");
      }
    }

    @Override
    public long lengthBytes() {
      at(Place.LENGTH);
      return BYTES;
    }

    /** Both a source and a target have this. */
    @Override
    public void start(Runnable resume) {
      at(Place.SOURCE_START);
      at(Place.TARGET_START);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      at(Place.READ);
      failBefore(Place.CLOSE_AFTER_FAILURE);
      int count = Math.min(length, left);
      left -= count;
      return count == 0 ? -1 : count;
    }

    @Override
    public void close() {
      ended.incrementAndGet();
      at(Place.CLOSE);
      at(Place.CLOSE_AFTER_FAILURE);
    }

    @Override
    public boolean isReady() {
      at(Place.READY);
      return true;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      at(Place.TARGET_WRITE);
      failBefore(Place.ABORT);
    }

    @Override
    public void complete() {
      ended.incrementAndGet();
      at(Place.COMPLETE);
    }

    @Override
    public void abort(Throwable cause) {
      ended.incrementAndGet();
      at(Place.ABORT);
    }
  }

  private static Stream<Arguments> everything() {
    return Combinations.dealt(World.values(), Pattern.values(), Place.values(), Thrown.values())
        .filter(each -> places((Pattern) each.get()[1]).contains((Place) each.get()[2]));
  }

  private static Set<Place> places(Pattern pattern) {
    Set<Place> places = EnumSet.allOf(Place.class);
    if (pattern == Pattern.READ) {
      places.remove(Place.ACCEPT);
    } else if (pattern == Pattern.BROADCAST) {
      places.removeIf(Place::isOfTarget);
    }
    return places;
  }

  /** Runs a scenario on nodes with executors that report uncaught exceptions to {@code handler}. */
  private static void run(World world, Runnable handler, World.Scenario scenario) throws Exception {
    Thread.UncaughtExceptionHandler each = (thread, thrown) -> handler.run();
    if (world == World.SIMULATED) {
      world.run(
          NONE,
          (nodes, driver) -> {
            Thread.currentThread().setUncaughtExceptionHandler(each);
            scenario.run(nodes, driver);
          });
      return;
    }
    ThreadFactory threads = Thread.ofPlatform().daemon().uncaughtExceptionHandler(each).factory();
    ImpairedDriver driver = new ImpairedDriver(new NioUdpProvider(), NONE);
    UnaryOperator<Transport.Builder> choices =
        builder -> builder.driver(driver).executor(task -> threads.newThread(task).start(), 2);
    try (TwoNodes nodes = new TwoNodes("", choices, choices)) {
      scenario.run(nodes, driver);
    }
  }

  @ParameterizedTest
  @MethodSource("everything")
  void shouldEndWithOneClearFailureAndKeepNothing(
      World world, Pattern pattern, Place place, Thrown thrown) throws Exception {
    AtomicInteger handled = new AtomicInteger();
    run(
        world,
        handled::incrementAndGet,
        (nodes, driver) -> {
          // a simulation has one thread for all work, and thus one handler of uncaught exceptions
          boolean waits = world == World.SIMULATED && place.ordinal() % 2 == 1;
          Throwing throwing = new Throwing(place, thrown, waits);
          BodySource source =
              place.isOfTarget() ? new ArraySource(new byte[BYTES], 0, BYTES) : throwing;
          BodyTarget target = place.isOfTarget() ? throwing : new BodyTest.Collector();
          serve(nodes.server(), throwing, source, target);
          CallException failure = failure(nodes, begin(nodes, pattern, source, target));

          assertEquals(place.outcome() + ": planted", failure.outcome() + ": " + failure.reason());
          int ends = place == Place.ACCEPT ? 0 : 1;
          assertTrue(nodes.awaitUntil(() -> throwing.ended.get() == ends));
          assertNothingKept(nodes, nodes.client());
          assertNothingKept(nodes, nodes.server());
          assertEquals(ends, throwing.ended.get());
          if (place != Place.LENGTH && (thrown == Thrown.ERROR || place.isOnWayOut())) {
            assertTrue(nodes.awaitUntil(() -> handled.get() > 0));
            assertEquals(1, handled.get(), "told to the thread's handler");
          }
        });
  }

  private static void serve(
      Transport server, Throwing throwing, BodySource source, BodyTarget target) {
    Raw.serveBulkWrites(
        server,
        STORE,
        offer -> {
          throwing.at(Place.ACCEPT);
          return CompletableFuture.completedFuture(target);
        });
    Raw.serveBulkReads(server, FETCH, offer -> CompletableFuture.completedFuture(source));
  }

  private static CompletableFuture<?> begin(
      NodePair nodes, Pattern pattern, BodySource source, BodyTarget target) {
    return switch (pattern) {
      case WRITE -> Raw.bulkWrite(nodes.peer(), STORE, source, TransferOptions.DEFAULTS);
      case READ -> Raw.bulkRead(nodes.peer(), FETCH, target, TransferOptions.DEFAULTS);
      case BROADCAST ->
          Raw.broadcast(
                  nodes.client(), STORE, source, new byte[0], List.of(Destination.of(nodes.peer())))
              .deliveries()
              .getFirst()
              .receipt();
    };
  }

  private static CallException failure(NodePair nodes, CompletableFuture<?> future) {
    var thrown = assertThrows(ExecutionException.class, () -> nodes.await(future));
    return assertInstanceOf(CallException.class, thrown.getCause());
  }

  private static void assertNothingKept(NodePair nodes, Transport transport) {
    var buffers = transport.pool().buffers();
    var regions = Objects.requireNonNull(transport.pool().port(0).regions());
    nodes.awaitUntil(() -> buffers.usedBytes() == 0 && regions.busyRegions() == 0);
    assertEquals(0, buffers.usedBytes());
    assertEquals(0, regions.busyRegions());
    assertEquals(0, transport.pool().bodies().broadcasts().usedBytes());
  }
}
