package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ends.PathCounters;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.transfer.OverloadedException;
import io.millrace.transfer.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;

/** Further attempts of failed calls, in a simulation of a caller and a server. */
final class RetriesTest {
  private static final long MS = 1_000_000;
  private static final long LIMIT_NS = 30_000 * MS;
  private static final int SERVER = 0;
  private static final int CLIENT = 1;
  private static final ByteString REQUEST = ByteString.fromString("request");
  private static final Route<ByteString, ByteString> WORK = Route.bytes("work");
  private static final RetryPolicy PATIENT =
      RetryPolicy.DEFAULTS
          .withAttempts(100)
          .withBackoff(Duration.ofMillis(100), Duration.ofMillis(200));

  private interface Plan {
    void run(World world) throws Exception;
  }

  /** A server that is overloaded for its first calls, and a caller. */
  private static final class World {
    private final Simulation simulation;
    private final FullCluster cluster;
    private final Transport server;
    private final Transport client;
    private final Recorded spans = new Recorded();
    private final List<CallContext> served = new ArrayList<>();
    private final List<Long> arrivalsMs = new ArrayList<>();
    private int overloads;
    private Duration retryAfter = Duration.ZERO;

    World(Simulation simulation, String settings) {
      this.simulation = simulation;
      cluster = new FullCluster(simulation, NetworkSettings.clean(MS), null);
      cluster.add(2, NodeSettings.DEFAULT);
      server = start(SERVER, settings);
      client = start(CLIENT, settings);
      server.serve(WORK, this::handle);
    }

    private Transport start(int number, String settings) {
      FullNode node = cluster.node(number);
      node.boot();
      return Transport.builder(SimCluster.settings(number, SimTransportSettings.parse(settings)))
          .environment(node.environment())
          .tracing(spans)
          .start();
    }

    private CompletableFuture<ByteString> handle(ByteString request, CallContext context) {
      arrivalsMs.add(simulation.nowNs() / MS);
      served.add(context);
      return served.size() <= overloads
          ? CompletableFuture.failedFuture(new OverloadedException("too busy", retryAfter))
          : CompletableFuture.completedFuture(request);
    }

    Peer peer() {
      return client.peer(SimCluster.handshakeAddress(SERVER));
    }

    PathCounters counters() {
      return cluster.node(CLIENT).life().pools().getFirst().port(0).counters();
    }

    CallException failure(Call<?> call) {
      end(call);
      return (CallException) call.exceptionNow();
    }

    void end(Call<?> call) {
      assertTrue(simulation.runUntil(call::isDone, simulation.nowNs() + LIMIT_NS), "not done");
    }
  }

  /** The spans' records of attempts, as text. */
  private static final class Recorded extends SilentTracing {
    private final List<String> retries = new ArrayList<>();

    @Override
    public Headers headers() {
      return Headers.EMPTY.with("traced", "yes");
    }

    @Override
    public void retry(int attempt, CallOutcome failed, Duration pause) {
      retries.add(attempt + " after " + failed);
    }
  }

  private static void simulate(String settings, Plan plan) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            plan.run(new World(simulation, settings));
            simulation.check();
            return null;
          }
        });
  }

  private static void simulate(Plan plan) throws Exception {
    simulate("", plan);
  }

  @Test
  void shouldTryAgainWithTheSameHeadersAndPriorityAfterGrowingPauses() throws Exception {
    simulate(
        world -> {
          world.overloads = 3;
          TransferOptions options =
              TransferOptions.DEFAULTS
                  .withPriority(5)
                  .withRetry(
                      RetryPolicy.DEFAULTS.withBackoff(
                          Duration.ofMillis(40), Duration.ofMinutes(1)));
          Call<ByteString> call = world.peer().unary(WORK, REQUEST, options);
          world.end(call);
          assertEquals(REQUEST, call.resultNow());
          assertEquals(4, world.served.size());
          for (CallContext context : world.served) {
            assertEquals(5, context.priority());
            assertEquals("yes", context.headers().text("traced").orElseThrow());
          }
          for (int retry = 0; retry < 3; retry++) {
            long pauseMs = world.arrivalsMs.get(retry + 1) - world.arrivalsMs.get(retry);
            long mostMs = 40L << retry;
            assertTrue(pauseMs >= mostMs / 2 && pauseMs <= mostMs + 10, () -> pauseMs + " ms");
          }
          assertEquals(
              List.of("2 after OVERLOADED", "3 after OVERLOADED", "4 after OVERLOADED"),
              world.spans.retries);
          assertEquals(3, world.counters().callsRetried);
        });
  }

  @Test
  void shouldStayAwayForAsLongAsThePeerSays() throws Exception {
    // rule C-11
    simulate(
        world -> {
          world.overloads = 2;
          world.retryAfter = Duration.ofMillis(300);
          TransferOptions options =
              TransferOptions.DEFAULTS.withRetry(RetryPolicy.DEFAULTS.withAttempts(2));
          CallException failure = world.failure(world.peer().unary(WORK, REQUEST, options));
          assertEquals(Duration.ofMillis(300), failure.retryAfter().orElseThrow());
          long pauseMs = world.arrivalsMs.getLast() - world.arrivalsMs.getFirst();
          assertTrue(pauseMs >= 310 && pauseMs <= 330, () -> pauseMs + " ms");
        });
  }

  @Test
  void shouldTryNothingAgainWithoutPolicy() throws Exception {
    simulate(
        world -> {
          world.overloads = 10;
          CallException usual = world.failure(world.peer().unary(WORK, REQUEST));
          assertEquals(1, usual.attempts());
          TransferOptions off = TransferOptions.DEFAULTS.withoutRetry();
          assertEquals(
              1, world.failure(world.peer().unary(WORK.idempotent(), REQUEST, off)).attempts());
          assertEquals(2, world.served.size());
        });
  }

  @Test
  void shouldTryByTheSettingsOfTheNode() throws Exception {
    simulate(
        "millrace.retry { calls = all, attempts = 2, backoff = 1 ms }",
        world -> {
          world.overloads = 10;
          CallException failure = world.failure(world.peer().unary(WORK, REQUEST));
          assertEquals(CallOutcome.OVERLOADED, failure.outcome());
          assertEquals(2, failure.attempts());
          assertEquals(CallOutcome.OVERLOADED, failure.earlierAttempts().getFirst().outcome());
        });
  }

  @Test
  void shouldBoundTheRetriesOfARoute() throws Exception {
    simulate(
        world -> {
          world.overloads = 100;
          Route<ByteString, ByteString> route = WORK.withRetry(PATIENT.withBudget(50, 3));
          CallException first = world.failure(world.peer().unary(route, REQUEST));
          assertEquals(4, first.attempts());
          assertTrue(
              first.getMessage().endsWith("too many calls are tried again"), first::toString);
          CallException second = world.failure(world.peer().unary(route, REQUEST));
          assertEquals(1, second.attempts());
          CallException third = world.failure(world.peer().unary(route, REQUEST));
          assertEquals(2, third.attempts(), "two calls pay a retry back");
          world.simulation.runFor(MS);
          assertEquals(3, world.counters().retriesRefused);
          assertEquals(4, world.counters().callsRetried);
        });
  }

  @Test
  void shouldEndByTheDeadlineOfTheCall() throws Exception {
    simulate(
        world -> {
          world.overloads = 1_000;
          long startNs = world.simulation.nowNs();
          TransferOptions options =
              TransferOptions.DEFAULTS.withRetry(PATIENT).withDeadline(Duration.ofSeconds(2));
          CallException failure = world.failure(world.peer().unary(WORK, REQUEST, options));
          long tookMs = (world.simulation.nowNs() - startNs) / MS;
          assertTrue(tookMs > 1_700 && tookMs <= 2_001, () -> tookMs + " ms");
          assertTrue(failure.attempts() > 9, failure::toString);
          assertEquals(CallOutcome.OVERLOADED, failure.outcome());
          assertEquals(CallOutcome.Execution.NO, failure.wasExecuted());
        });
  }

  @Test
  void shouldStayUnknownAfterAnAttemptThatMayHaveRun() throws Exception {
    simulate(
        world -> {
          Call<ByteString> warm = world.peer().unary(WORK, REQUEST);
          world.end(warm);
          TransferOptions options = TransferOptions.DEFAULTS.withIdempotent();
          Call<ByteString> call = world.peer().unary(WORK, REQUEST, options);
          world.cluster.node(SERVER).crash();
          CallException failure = world.failure(call);
          assertEquals(4, failure.attempts());
          assertEquals(CallOutcome.PEER_UNREACHABLE, failure.outcome());
          assertEquals(
              CallOutcome.PEER_UNRESPONSIVE, failure.earlierAttempts().getFirst().outcome());
          assertEquals(CallOutcome.Execution.UNKNOWN, failure.wasExecuted());
        });
  }

  @Test
  void shouldEndThePauseOfACancelledCall() throws Exception {
    simulate(
        world -> {
          world.overloads = 100;
          TransferOptions options = TransferOptions.DEFAULTS.withRetry(PATIENT);
          Call<ByteString> call = world.peer().unary(WORK, REQUEST, options);
          world.simulation.runFor(20 * MS);
          assertEquals(1, world.served.size());
          call.cancel(false);
          world.simulation.runFor(2_000 * MS);
          assertEquals(1, world.served.size());
        });
  }

  @Test
  void shouldGiveBackTheRetryOfACallCancelledInItsPause() throws Exception {
    simulate(
        world -> {
          world.overloads = 100;
          Route<ByteString, ByteString> route = WORK.withRetry(PATIENT.withBudget(0, 1));
          Call<ByteString> call = world.peer().unary(route, REQUEST);
          world.simulation.runFor(20 * MS);
          assertEquals(1, world.served.size());
          call.cancel(false);
          assertEquals(2, world.failure(world.peer().unary(route, REQUEST)).attempts());
        });
  }

  @Test
  void shouldFailCallsInPausesWithTheirLastFailureAtTheClose() throws Exception {
    simulate(
        world -> {
          world.overloads = 100;
          TransferOptions options = TransferOptions.DEFAULTS.withRetry(PATIENT);
          Call<ByteString> call = world.peer().unary(WORK, REQUEST, options);
          world.simulation.runFor(20 * MS);
          world.client.close();
          CallException failure = world.failure(call);
          assertEquals(CallOutcome.OVERLOADED, failure.outcome());
        });
  }

  @Test
  void shouldBoundTheBytesOfCallsInPauses() throws Exception {
    simulate(
        "millrace.retry.waiting = 1 KiB",
        world -> {
          world.overloads = 100;
          Route<ByteString, ByteString> route = WORK.withRetry(PATIENT);
          List<Call<ByteString>> calls = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            calls.add(world.peer().unary(route, REQUEST));
          }
          world.simulation.runFor(20 * MS);
          List<Call<ByteString>> ended = calls.stream().filter(Call::isDone).toList();
          assertEquals(1, ended.size());
          CallException failure = world.failure(ended.getFirst());
          assertTrue(
              failure.getMessage().endsWith("too many calls wait to be tried again"),
              failure::toString);
        });
  }

  @Test
  void shouldRefuseFallbacksOfAnotherTransport() throws Exception {
    simulate(
        world -> {
          Peer other = world.server.peer(SimCluster.handshakeAddress(CLIENT));
          assertThrows(
              IllegalArgumentException.class, () -> world.peer().withFallbacks(List.of(other)));
        });
  }
}
