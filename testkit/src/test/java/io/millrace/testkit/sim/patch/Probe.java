package io.millrace.testkit.sim.patch;

import static java.lang.Thread.sleep;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** A call of each kind that is rewritten. Run as it is and as the patcher leaves it. */
@SuppressWarnings({"JavaUtilDate", "JavaTimeDefaultTimeZone"}) // calls that are rewritten
final class Probe {
  private Probe() {}

  static Object nanoTime() {
    return System.nanoTime();
  }

  static Object nanoTimeByReference() {
    LongSupplier clock = System::nanoTime;
    return clock.getAsLong();
  }

  static Object currentTimeMillis() {
    return System.currentTimeMillis();
  }

  static Object date() {
    return new Date().getTime();
  }

  static Object instant() {
    return Instant.now().toEpochMilli();
  }

  static Object systemClock() {
    return Clock.systemUTC().millis();
  }

  static Object clockOfZone() {
    return Clock.system(ZoneId.of("Asia/Tokyo")).instant().toEpochMilli();
  }

  static Object localDateTime() {
    return LocalDateTime.now().toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  static Object zonedDateTime() {
    return ZonedDateTime.now(ZoneId.of("Asia/Tokyo")).toInstant().toEpochMilli();
  }

  static Object threadRandom() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return random.nextLong() + random.nextInt(7, 1_000);
  }

  static Object randomByReference() {
    Supplier<Random> random = Random::new;
    return random.get().nextLong();
  }

  static Object random() {
    return new Random().nextLong();
  }

  static Object splittableRandom() {
    return new SplittableRandom().nextLong();
  }

  static Object secureRandom() {
    return new SecureRandom().nextLong();
  }

  static Object mathRandom() {
    return Math.random();
  }

  static Object shuffle() {
    List<Integer> list = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      list.add(i);
    }
    Collections.shuffle(list);
    return list;
  }

  static Object uuid() {
    return UUID.randomUUID();
  }

  static CompletableFuture<?> supplyAsync() {
    return CompletableFuture.supplyAsync(() -> 1);
  }

  static CompletableFuture<?> thenApplyAsync() {
    return CompletableFuture.completedFuture(1).thenApplyAsync(x -> x + 1);
  }

  static CompletableFuture<?> whenCompleteAsync() {
    CompletionStage<Integer> stage = CompletableFuture.completedStage(1);
    return stage.whenCompleteAsync((_, _) -> {}).toCompletableFuture();
  }

  static CompletableFuture<?> ownFuture() {
    CompletableFuture<Integer> own = new OwnFuture();
    own.complete(1);
    return own.thenRunAsync(() -> {});
  }

  static Object sleeps() throws InterruptedException {
    sleep(0);
    return 1;
  }

  static Object startThread() {
    new Thread(() -> {}, "probe").start();
    return 1;
  }

  static Object commonPool() {
    return ForkJoinPool.commonPool().getParallelism();
  }

  static Object parallelStream() {
    return List.of(1, 2).parallelStream().mapToInt(x -> x).sum();
  }

  /** Has no executor of its own until it is rewritten. */
  static final class OwnFuture extends CompletableFuture<Integer> {}

  /** Shows the type of the thread's generator, which must stay therefore. */
  static final class Holder {
    private final ThreadLocalRandom random = ThreadLocalRandom.current();

    private Holder() {}

    static Object draw() {
      return new Holder().random.nextInt(1_000_000);
    }

    static Object drawByReference() {
      ToIntFunction<ThreadLocalRandom> draw = ThreadLocalRandom::nextInt;
      return draw.applyAsInt(ThreadLocalRandom.current());
    }
  }

  /** Calls the constructor that is rewritten elsewhere, as a superclass. */
  static final class OwnRandom extends Random {
    private static final long serialVersionUID = 1;

    OwnRandom() {
      // the superclass seeds itself
    }

    static Object draw() {
      return new OwnRandom().nextLong() == 0;
    }
  }
}
