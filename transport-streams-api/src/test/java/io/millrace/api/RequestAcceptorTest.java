package io.millrace.api;

import static io.millrace.api.StreamChecks.failure;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An acceptor sees the headers of each request once, ahead of its payload and of its handler. */
@Timeout(120)
class RequestAcceptorTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int[] LENGTHS = {0, 1_000, 300_000};

  /**
   * Returns a payload size so large that most bytes are not yet sent when the answer arrives;
   * simulated nodes need less.
   */
  private static int longBytes(PatternWorld world) {
    return world == PatternWorld.SIMULATED ? 8_000_000 : 60_000_000;
  }

  private static Stream<Arguments> all(TestInfo test) {
    return Combinations.dealt(AcceptorPattern.values(), PatternWorld.all(test));
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldBeAskedOnceAheadOfTheHandler(AcceptorPattern pattern, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          AcceptorPattern.Served served = new AcceptorPattern.Served();
          pattern.serve(nodes, served::accept, served);
          for (int length : LENGTHS) {
            StreamChecks.await(nodes, pattern.request(nodes, new byte[length]));
            int told = pattern.hasPayload() ? length : 0;
            assertEquals(List.of("offered " + told, "handled " + told), List.copyOf(served.seen));
            served.seen.clear();
          }
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldRefuseWhatItDoesNotTake(AcceptorPattern pattern, PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          AcceptorPattern.Served served = new AcceptorPattern.Served();
          pattern.serve(nodes, served::refuse, served);
          for (int length : LENGTHS) {
            CallException failed = failure(nodes, pattern.request(nodes, new byte[length]));
            assertEquals(CallOutcome.REFUSED, failed.outcome());
            assertEquals("too much", failed.reason());
            int told = pattern.hasPayload() ? length : 0;
            assertEquals(List.of("offered " + told), List.copyOf(served.seen));
            served.seen.clear();
          }
          Remains.awaitNone(nodes, world);
        });
  }

  private static Stream<Arguments> withPayload(TestInfo test) {
    return all(test).filter(arguments -> ((AcceptorPattern) arguments.get()[0]).hasPayload());
  }

  private static long received(Transport node) {
    return node.snapshot().workers().stream()
        .mapToLong(worker -> worker.bodies().records().bodyBytesReceived())
        .sum();
  }

  /** The headers are the first bytes of a body: the bytes behind the headers need not arrive. */
  @ParameterizedTest
  @MethodSource("withPayload")
  void shouldKeepTheRestOfALongPayloadFromComing(AcceptorPattern pattern, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          AcceptorPattern.Served served = new AcceptorPattern.Served();
          pattern.serve(nodes, served::refuse, served);
          Raw.serve(
              nodes.server(),
              ECHO,
              call -> CompletableFuture.completedStage(UnaryResponse.of(call.payload())));

          int length = longBytes(world);
          CallException failed = failure(nodes, pattern.request(nodes, new byte[length]));

          assertEquals(CallOutcome.REFUSED, failed.outcome());
          assertEquals("too much", failed.reason());
          assertEquals(List.of("offered " + length), List.copyOf(served.seen));
          Remains.awaitNone(nodes, world);
          byte[] payload = BodyTest.random(300_000, 1);
          assertArrayEquals(payload, nodes.await(Raw.unary(nodes.peer(), ECHO, payload)).payload());
          long came = received(nodes.server());
          assertTrue(came < length / 2, came + " bytes of bodies have come");
        });
  }
}
