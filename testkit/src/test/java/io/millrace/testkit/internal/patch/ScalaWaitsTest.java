package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.concurrent.Await$;
import scala.concurrent.Promise;
import scala.concurrent.Promise$;
import scala.concurrent.duration.Duration;
import scala.jdk.javaapi.FutureConverters;

/** Waits of a scenario's own steps, outside of all nodes, for futures of Scala. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScalaWaitsTest {
  private static <T> T outsideOfNodes(long seed, Callable<T> step) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            assertEquals(0, simulation.nowNs());
            return step.call();
          }
        });
  }

  private static CompletableFuture<Integer> javaFuture(Promise<Integer> promise) {
    return FutureConverters.asJava(promise.future()).toCompletableFuture();
  }

  @Test
  void shouldGiveWhatIsThere() throws Exception {
    Promise<Integer> promise = Promise$.MODULE$.<Integer>apply().success(1);
    CompletableFuture<Integer> future = javaFuture(promise);
    Integer awaited =
        outsideOfNodes(1, () -> Await$.MODULE$.result(promise.future(), Duration.Inf()));
    assertEquals(1, awaited);
    Integer asked = outsideOfNodes(1, future::get);
    assertEquals(1, asked);
    Integer rewritten = outsideOfNodes(1, () -> SimulatedWaits.get(future));
    assertEquals(1, rewritten);
  }

  @Test
  void shouldBreakARuleInsteadOfWaiting() throws Exception {
    Promise<Integer> promise = Promise$.MODULE$.apply();
    CompletableFuture<Integer> future = javaFuture(promise);
    boolean isInterrupted =
        outsideOfNodes(
            1,
            () -> {
              NotSimulatedException refusal =
                  assertThrows(NotSimulatedException.class, future::get);
              assertTrue(String.valueOf(refusal.getMessage()).contains("Scala future"));
              Simulation run = Objects.requireNonNull(SimThread.current().simulation());
              assertThrows(SimViolation.class, run::check);
              return Thread.currentThread().isInterrupted();
            });
    assertFalse(isInterrupted);
  }

  @Test
  void shouldTellWhatFailedAsTheFutureWould() throws Exception {
    IllegalStateException why = new IllegalStateException("why");
    CompletableFuture<Integer> future = javaFuture(Promise$.MODULE$.<Integer>apply().failure(why));
    Exception actual = assertThrows(Exception.class, future::get);
    Exception simulated =
        assertThrows(Exception.class, () -> outsideOfNodes(1, () -> SimulatedWaits.get(future)));
    assertEquals(actual.getClass(), simulated.getClass());
    assertEquals(why, simulated.getCause());
  }
}
