package io.millrace.api.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.actor.body.ArraySource;
import io.millrace.actor.body.BodySource;
import io.millrace.actor.body.BodyTarget;
import io.millrace.api.UnaryCall;
import io.millrace.api.UnaryResponse;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.wire.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every arrival at a route is decided once, whatever the order of it and of the server's end. */
@Timeout(60)
class ServedRouteTest {
  private static final Route ROUTE = Route.of("route");
  private static final byte[] NO_BYTES = {};
  private static final String STOPPED = "the actor that serves 'route' has stopped";

  private final TestInbox<IncomingCall> server = TestInbox.create();
  private final ServedRoute<IncomingCall> route = new ServedRoute<>(ROUTE, server.getRef());

  private static IncomingCall call() {
    return new IncomingCall(new UnaryCall("peer", 3, NO_BYTES, NO_BYTES));
  }

  @Test
  void shouldLetTheServerDecide() {
    CompletionStage<UnaryResponse> decision = ServedRoute.ask(route, call());
    UnaryResponse response = UnaryResponse.of(new byte[1]);

    server.receiveMessage().answer(response);
    route.onServerStopped();

    assertEquals(response, decision.toCompletableFuture().join());
  }

  @Test
  void shouldFailWhatIsUndecidedOldestFirstAndAllThatComesLater() {
    List<Integer> order = new ArrayList<>();
    List<@Nullable Throwable> failures = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int number = i;
      ServedRoute.ask(route, call())
          .whenComplete(
              (value, failure) -> {
                order.add(number);
                failures.add(failure);
              });
    }

    route.onServerStopped();
    route.close("another reason");
    ServedRoute.ask(route, call()).whenComplete((value, failure) -> failures.add(failure));

    assertEquals(java.util.stream.IntStream.range(0, 20).boxed().toList(), order);
    assertEquals(21, failures.size());
    for (@Nullable Throwable failure : failures) {
      assertEquals(STOPPED, assertInstanceOf(ActorFailedException.class, failure).getMessage());
    }
    assertEquals(20, server.getAllReceived().size());
    assertEquals(STOPPED, assertThrows(ActorFailedException.class, route::check).getMessage());
  }

  @Test
  void shouldDecideEachOfManyThatMeetTheEnd() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < 2_000; round++) {
        ServedRoute<IncomingCall> raced = new ServedRoute<>(ROUTE, server.getRef());
        CyclicBarrier start = new CyclicBarrier(2);
        CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
        Future<?> arrival =
            threads.submit(
                () -> {
                  start.await();
                  return raced.track(answer);
                });
        Future<?> end =
            threads.submit(
                () -> {
                  start.await();
                  raced.onServerStopped();
                  return null;
                });
        arrival.get(20, TimeUnit.SECONDS);
        end.get(20, TimeUnit.SECONDS);
        assertTrue(answer.isCompletedExceptionally(), "round " + round + " is undecided");
      }
    }
  }

  /** Counts what is done to it. */
  private static final class Body implements BodyTarget {
    private final ArraySource bytes = new ArraySource(new byte[1], 0, 1);
    private int closed;
    private @Nullable Throwable cause;

    private BodySource source() {
      return new BodySource() {
        @Override
        public long lengthBytes() {
          return bytes.lengthBytes();
        }

        @Override
        public int read(byte[] into, int offset, int length) {
          return -1;
        }

        @Override
        public void close() {
          closed++;
        }
      };
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {}

    @Override
    public void complete() {}

    @Override
    public void abort(Throwable cause) {
      this.cause = cause;
    }
  }

  @Test
  void shouldEndTheSourcesAndTargetsOfSecondDecisions() {
    BulkOffer offer = new BulkOffer("peer", 3, NO_BYTES, 0);
    Body first = new Body();
    Body second = new Body();
    IncomingRead read = new IncomingRead(offer);
    IncomingWrite write = new IncomingWrite(offer);

    read.open(first.source());
    read.open(second.source());
    write.accept(first);
    write.accept(second);

    assertEquals(0, first.closed);
    assertNull(first.cause);
    assertEquals(1, second.closed);
    assertInstanceOf(ActorFailedException.class, second.cause);
  }
}
