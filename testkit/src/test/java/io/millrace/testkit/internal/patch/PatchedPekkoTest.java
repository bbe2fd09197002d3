package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.util.NanoTimeTokenBucket;
import org.junit.jupiter.api.Test;
import scala.concurrent.Promise;
import scala.concurrent.Promise$;
import scala.concurrent.duration.Deadline;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.DurationConverters;
import scala.jdk.javaapi.FutureConverters;

/** Pekko and Scala after the agent of this JVM. */
class PatchedPekkoTest {
  private static final long NOW_NS = 1_234_567_000_000L;

  private final FixedSurroundings surroundings = new FixedSurroundings(NOW_NS, 7);

  @Test
  void shouldRefillTheBucketThatThrottlesByVirtualTime() throws Exception {
    long periodNs = 1_000;
    NanoTimeTokenBucket bucket = new NanoTimeTokenBucket(1, periodNs);
    surroundings.call(
        () -> {
          bucket.init();
          assertEquals(0, bucket.offer(1));
          assertEquals(periodNs, bucket.offer(1));
          surroundings.advance(2 * periodNs);
          assertEquals(0, bucket.offer(1));
          return 1;
        });
  }

  @Test
  void shouldReachADeadlineInVirtualTimeToTheNanosecond() throws Exception {
    FiniteDuration second = DurationConverters.toScala(Duration.ofSeconds(1));
    surroundings.call(
        () -> {
          Deadline deadline = second.fromNow();
          surroundings.advance(999_999_999);
          assertTrue(deadline.hasTimeLeft());
          assertEquals(1, deadline.timeLeft().toNanos());
          surroundings.advance(2);
          assertTrue(deadline.isOverdue());
          return 1;
        });
  }

  @Test
  void shouldNumberActorsByTheSeed() throws Exception {
    int first = surroundings.call(ActorCell::newUid);
    assertEquals(first, new FixedSurroundings(0, 7).call(ActorCell::newUid));
    assertNotEquals(first, new FixedSurroundings(0, 8).call(ActorCell::newUid));
  }

  @Test
  void shouldRunCallbacksOfScalasFuturesOnTheExecutorOfTheSimulation() throws Exception {
    CompletableFuture<Integer> applied =
        surroundings.call(
            () -> {
              Promise<Integer> promise = Promise$.MODULE$.apply();
              CompletionStage<Integer> stage = FutureConverters.asJava(promise.future());
              CompletionStage<Integer> next = stage.thenApply(x -> x + 1);
              promise.success(1);
              return next.toCompletableFuture();
            });
    assertFalse(applied.isDone());
    assertEquals(1, surroundings.executed.size());
    surroundings.executed.getFirst().run();
    assertEquals(2, applied.join());
  }
}
