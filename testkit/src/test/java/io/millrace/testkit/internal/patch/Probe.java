package io.millrace.testkit.internal.patch;

import static java.lang.Thread.sleep;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.StreamSupport;

/** A call of each rewritten kind. Run both as compiled and as patched. */
@SuppressWarnings({"JavaUtilDate", "JavaTimeDefaultTimeZone"}) // calls that are rewritten
final class Probe {
  private static final TimeZone TOKYO = TimeZone.getTimeZone("Asia/Tokyo");

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

  static Object instantSource() {
    return InstantSource.system().millis();
  }

  static Object calendar() {
    return Calendar.getInstance().getTimeInMillis();
  }

  static Object calendarOfZoneAndLocale() {
    return Calendar.getInstance(TOKYO, Locale.ROOT).getTimeInMillis();
  }

  static Object gregorian() {
    return new GregorianCalendar().getTimeInMillis();
  }

  static Object gregorianOfZone() {
    return new GregorianCalendar(TOKYO).getTimeInMillis();
  }

  static Object gregorianOfZoneAndLocale() {
    return new GregorianCalendar(TOKYO, Locale.ROOT).getTimeInMillis();
  }

  static Object gregorianByReference() {
    Function<TimeZone, GregorianCalendar> calendar = GregorianCalendar::new;
    return calendar.apply(TOKYO).getTimeInMillis();
  }

  static Object calendarZones() {
    return Calendar.getInstance().getTimeZone().getID()
        + new GregorianCalendar(TOKYO).getTimeZone().getID();
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

  static Object secureRandomWithSeed() {
    return new SecureRandom(new byte[] {1}).nextLong();
  }

  static Object secureRandomByName() throws GeneralSecurityException {
    return SecureRandom.getInstance("SHA1PRNG").nextLong();
  }

  static Object secureRandomByNameAndProvider() throws GeneralSecurityException {
    return SecureRandom.getInstance("SHA1PRNG", "SUN").nextLong();
  }

  static Object strongRandom() throws GeneralSecurityException {
    return SecureRandom.getInstanceStrong().nextLong();
  }

  static Object seedBytes() {
    return ByteBuffer.wrap(SecureRandom.getSeed(8)).getLong();
  }

  static Object generator() {
    return RandomGenerator.getDefault().nextLong();
  }

  static Object generatorByName() {
    return RandomGenerator.of("Xoshiro256PlusPlus").nextLong();
  }

  static Object secureGeneratorByName() {
    return RandomGenerator.of("SecureRandom").nextLong();
  }

  static Object generatorOfFactory() {
    return RandomGeneratorFactory.of("L64X128MixRandom").create().nextLong();
  }

  static Object generatorOfFactoryByReference() {
    Supplier<RandomGenerator> made = RandomGeneratorFactory.of("L64X128MixRandom")::create;
    return made.get().nextLong();
  }

  static Object unknownRandom() throws GeneralSecurityException {
    return SecureRandom.getInstance("no such algorithm");
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

  static Object makeOwnThread() {
    return new OwnThread().getName();
  }

  static Object forkTask() {
    return new OwnTask().invoke();
  }

  static Object parallelSort() {
    int[] numbers = {2, 1};
    Arrays.parallelSort(numbers);
    return numbers[0];
  }

  static Object parallelMap() {
    return new ConcurrentHashMap<>(Map.of(1, 2)).reduceValues(1, Integer::sum);
  }

  static Object parallelSupport() {
    return StreamSupport.stream(List.of(1, 2).spliterator(), true).toList();
  }

  static Object sequentialSupport() {
    return StreamSupport.stream(List.of(1, 2).spliterator(), false).toList();
  }

  static Object generatorOfKind() {
    return RandomGenerator.SplittableGenerator.of("L64X128MixRandom").nextLong();
  }

  static Object commonPool() {
    return ForkJoinPool.commonPool().getParallelism();
  }

  static Object delayedExecutor() {
    return CompletableFuture.delayedExecutor(1, TimeUnit.DAYS);
  }

  static Object orTimeout() {
    return new CompletableFuture<Integer>().orTimeout(1, TimeUnit.DAYS).isDone();
  }

  static Object completeOnTimeout() {
    return new CompletableFuture<Integer>().completeOnTimeout(1, 1, TimeUnit.DAYS).isDone();
  }

  static Object parallelStream() {
    return List.of(1, 2).parallelStream().mapToInt(x -> x).sum();
  }

  /** A thread with a start that no rewritten call would name. */
  static final class OwnThread extends Thread {
    OwnThread() {
      super("probe");
    }
  }

  /** A task with a fork that no rewritten call would name. */
  static final class OwnTask extends RecursiveTask<Integer> {
    private static final long serialVersionUID = 1;

    @Override
    protected Integer compute() {
      return 1;
    }
  }

  /** Has no executor of its own until rewritten. */
  static final class OwnFuture extends CompletableFuture<Integer> {}

  /** Shows the type of the thread's generator, so the type must stay. */
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

    static Object drawByBoundReference() {
      IntSupplier draw = new Holder().random::nextInt;
      return draw.getAsInt();
    }
  }

  /** Calls, as a superclass, the constructor that the patcher rewrites elsewhere. */
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
