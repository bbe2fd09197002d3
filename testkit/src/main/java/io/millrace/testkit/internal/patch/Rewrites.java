package io.millrace.testkit.internal.patch;

import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The only table of rewritten calls and their replacements, read by the patcher and by the scan.
 */
final class Rewrites {
  private static final String FUTURE = "java/util/concurrent/CompletableFuture";
  private static final String STAGE = "java/util/concurrent/CompletionStage";
  private static final String EXECUTOR_LAST = "Ljava/util/concurrent/Executor;)";

  private static final String TIMED = "(JLjava/util/concurrent/TimeUnit;)";
  private static final String OBJECT_TIMED = "(Ljava/lang/Object;JLjava/util/concurrent/TimeUnit;)";
  private static final String CONCURRENT = "java/util/concurrent/";

  private static final Rewrite THREAD_RANDOM =
      new WithReceiver(Descriptors.THREAD_CALLS, Descriptors.RANDOM);
  private static final Rewrite REFUSE_PARALLEL = new RefuseParallel();
  private static final Rewrite NOW = new Append("localClock", Descriptors.CLOCK);
  private static final Rewrite ZONED_NOW = new ZonedNow();
  private static final Rewrite ASYNC = new Append("defaultExecutor", Descriptors.EXECUTOR);

  /** By owner, name and parameters, as in {@code java/lang/System.nanoTime()}. */
  private static final Map<String, Rewrite> BY_PARAMETERS = new LinkedHashMap<>();

  /** By owner and name, for all parameters. */
  private static final Map<String, Rewrite> BY_NAME = new LinkedHashMap<>();

  static {
    redirect("java/lang/System.nanoTime()", "nanoTime", ConstantDescs.CD_long);
    redirect("java/lang/System.currentTimeMillis()", "currentTimeMillis", ConstantDescs.CD_long);
    redirect("java/lang/Math.random()", "fraction", ConstantDescs.CD_double);
    redirect("java/lang/StrictMath.random()", "fraction", ConstantDescs.CD_double);
    redirect("java/util/UUID.randomUUID()", "uuid", ClassDesc.of("java.util.UUID"));
    redirect(
        "java/util/concurrent/ThreadLocalRandom.current()",
        "random",
        ClassDesc.of("java.util.Random"));
    redirect("java/time/Clock.systemUTC()", "clock", Descriptors.CLOCK);
    redirect("java/time/InstantSource.system()", "clock", Descriptors.CLOCK);
    redirect("java/time/Clock.systemDefaultZone()", "localClock", Descriptors.CLOCK);
    redirect("java/time/Clock.system(Ljava/time/ZoneId;)", "clock", Descriptors.CLOCK);
    BY_PARAMETERS.put("java/util/Random.<init>()", create("newRandom"));
    BY_PARAMETERS.put("java/util/SplittableRandom.<init>()", create("newSplittableRandom"));
    BY_PARAMETERS.put("java/util/Date.<init>()", create("date"));
    BY_PARAMETERS.put(
        "java/util/Collections.shuffle(Ljava/util/List;)",
        new Append("random", Descriptors.RANDOM));
    putGenerators();
    putCalendars();
  }

  private static void putGenerators() {
    ClassDesc generator = ClassDesc.of("java.util.random.RandomGenerator");
    ClassDesc secure = ClassDesc.of("java.security.SecureRandom");
    Rewrite created = new Create(Descriptors.GENERATORS, "newSecureRandom");
    BY_PARAMETERS.put("java/security/SecureRandom.<init>()", created);
    BY_PARAMETERS.put("java/security/SecureRandom.<init>([B)", created);
    named("java/security/SecureRandom.getInstance", "secure", secure);
    named("java/security/SecureRandom.getInstanceStrong", "strong", secure);
    named("java/security/SecureRandom.getSeed", "seedBytes", ConstantDescs.CD_byte.arrayType());
    named("java/util/random/RandomGenerator.getDefault", "generator", generator);
    named("java/util/random/RandomGenerator.of", "generator", generator);
    BY_PARAMETERS.put(
        "java/util/random/RandomGeneratorFactory.create()",
        new WithReceiver(
            Descriptors.GENERATORS, ClassDesc.of("java.util.random.RandomGeneratorFactory")));
  }

  private static void named(String call, String target, ClassDesc result) {
    BY_NAME.put(call, new Redirect(Descriptors.GENERATORS, target, result));
  }

  private static void putCalendars() {
    String zone = "Ljava/util/TimeZone;";
    String locale = "Ljava/util/Locale;";
    for (String parameters : List.of("", zone, locale, zone + locale)) {
      BY_PARAMETERS.put(
          "java/util/GregorianCalendar.<init>(" + parameters + ")",
          new Create(Descriptors.CALENDARS, "gregorian"));
      BY_PARAMETERS.put(
          "java/util/Calendar.getInstance(" + parameters + ")",
          new Redirect(Descriptors.CALENDARS, "calendar", ClassDesc.of("java.util.Calendar")));
    }
  }

  private Rewrites() {}

  /** Returns the replacement for calls of a method; null where calls stay. */
  static @Nullable Rewrite of(MemberRefEntry method) {
    return of(
        method.owner().asInternalName(), method.name().stringValue(), method.type().stringValue());
  }

  /**
   * Returns the replacement for calls of a method, with owner, name and type as in a class file;
   * null where calls stay.
   */
  static @Nullable Rewrite of(String owner, String name, String type) {
    String parameters = type.substring(0, type.indexOf(')') + 1);
    String call = owner + "." + name;
    Rewrite exact = BY_PARAMETERS.get(call + parameters);
    if (exact != null) {
      return exact;
    }
    Rewrite named = BY_NAME.get(call);
    if (named != null) {
      return named;
    }
    Rewrite family = ofFamily(owner, name, parameters);
    return family != null ? family : ofKind(owner, name, type);
  }

  /**
   * Refuses calls that the scan looks for and that have no other replacement: such calls fail in a
   * simulation.
   */
  private static @Nullable Rewrite ofKind(String owner, String name, String type) {
    boolean isOfLibraries = owner.startsWith("java/") || owner.startsWith("scala/");
    CallKind kind = isOfLibraries ? CallKind.of(owner, name, type) : null;
    return kind == null ? null : new Refuse(kind);
  }

  private static @Nullable Rewrite ofFamily(String owner, String name, String parameters) {
    if (owner.equals("java/util/concurrent/ThreadLocalRandom")) {
      return THREAD_RANDOM;
    }
    if (owner.startsWith("java/time/") && name.equals("now")) {
      return switch (parameters) {
        case "()" -> NOW;
        case "(Ljava/time/ZoneId;)" -> ZONED_NOW;
        default -> null;
      };
    }
    if ((owner.equals(FUTURE) || owner.equals(STAGE)) && name.endsWith("Async")) {
      return parameters.endsWith(EXECUTOR_LAST) ? null : ASYNC;
    }
    if (owner.equals("java/util/stream/StreamSupport") && parameters.endsWith("Z)")) {
      return REFUSE_PARALLEL;
    }
    return owner.startsWith(CONCURRENT) ? ofWait(owner, name, parameters) : null;
  }

  /** Calls that wait only if they must. */
  private static @Nullable Rewrite ofWait(String owner, String name, String parameters) {
    String simple = owner.substring(CONCURRENT.length());
    String call = name + parameters;
    boolean ofQueue = simple.endsWith("Queue") || simple.endsWith("Deque");
    boolean ofFuture = simple.endsWith("Future") || simple.equals("FutureTask");
    if (ofQueue) {
      return switch (call) {
        case "take()", "put(Ljava/lang/Object;)", "poll" + TIMED, "offer" + OBJECT_TIMED ->
            waiting("BlockingQueue");
        case "takeFirst()",
            "takeLast()",
            "putFirst(Ljava/lang/Object;)",
            "putLast(Ljava/lang/Object;)" ->
            waiting("BlockingDeque");
        default -> null;
      };
    }
    return switch (call) {
      case "join()" -> owner.equals(FUTURE) ? waiting("CompletableFuture") : null;
      case "get()", "get" + TIMED -> ofFuture ? waiting("Future") : null;
      case "await()", "await" + TIMED ->
          simple.equals("CountDownLatch") ? waiting("CountDownLatch") : null;
      case "acquire()", "acquire(I)", "acquireUninterruptibly()", "acquireUninterruptibly(I)" ->
          simple.equals("Semaphore") ? waiting("Semaphore") : null;
      case "tryAcquire" + TIMED, "tryAcquire(IJLjava/util/concurrent/TimeUnit;)" ->
          simple.equals("Semaphore") ? waiting("Semaphore") : null;
      case "tryLock" + TIMED -> waiting("locks.Lock");
      case "awaitTermination" + TIMED -> waiting("ExecutorService");
      default -> null;
    };
  }

  private static Rewrite waiting(String receiver) {
    return new WithReceiver(Descriptors.WAITS, ClassDesc.of("java.util.concurrent." + receiver));
  }

  private static void redirect(String call, String target, ClassDesc result) {
    BY_PARAMETERS.put(call, new Redirect(Descriptors.CALLS, target, result));
  }

  private static Rewrite create(String factory) {
    return new Create(Descriptors.CALLS, factory);
  }
}
