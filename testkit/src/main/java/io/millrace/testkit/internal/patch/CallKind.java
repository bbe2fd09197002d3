package io.millrace.testkit.internal.patch;

import java.lang.classfile.constantpool.MemberRefEntry;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of calls that make a run depend on more than its seed. Covers more calls than the agent
 * rewrites.
 */
public enum CallKind {
  /** Reads the monotonic clock or the time of day. */
  CLOCK("use System.nanoTime, System.currentTimeMillis, Instant.now or Clock.systemUTC"),
  /** Draws random numbers from an unseeded generator. */
  RANDOM("use new Random(), ThreadLocalRandom.current() or RandomGenerator.of(name)"),
  /** Runs a task on the JVM's common pool, or on Scala's. */
  POOL(
      "use CompletableFuture with its Async methods, a sequential stream, or an executor of"
          + " node.environment().newExecutor(n)"),
  /** Makes or starts threads. */
  THREAD("use actors, timers and executors of node.environment().newExecutor(n)"),
  /** Sleeps, parks or waits for another thread. */
  BLOCK(
      "the call would wait in real time for a result that cannot come; use callbacks and timers, in"
          + " a test run.within(...), or node.environment().await(future, ns), which waits in"
          + " virtual time");

  private static final String LATER =
      "use node.system().scheduler().scheduleOnce(...), an actor's timer, or for a call"
          + " TransferOptions.withDeadline(...)";

  private static final String CONCURRENT = "java/util/concurrent/";
  private static final String TIMED = "Ljava/util/concurrent/TimeUnit;)";

  private final String instead;

  CallKind(String instead) {
    this.instead = instead;
  }

  /** Returns a description of the replacement for simulated code, for people. */
  String instead() {
    return instead;
  }

  /** Returns the replacement for the method with this name and of this kind. */
  String instead(String method) {
    return this == POOL && isLater(method) ? LATER : instead;
  }

  /** Whether the JDK's single thread for delays takes part. */
  private static boolean isLater(String method) {
    return method.equals("delayedExecutor") || method.endsWith("Timeout");
  }

  /** Returns the name in lists of known calls. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the kind of uses of a member; null for a harmless member. */
  static @Nullable CallKind of(MemberRefEntry member) {
    return of(
        member.owner().asInternalName(), member.name().stringValue(), member.type().stringValue());
  }

  /**
   * Returns the kind of calls of a method, with owner, name and type as in a class file; null for a
   * harmless method.
   */
  static @Nullable CallKind of(String owner, String name, String type) {
    if (isClock(owner, name, type)) {
      return CLOCK;
    }
    if (isRandom(owner, name, type)) {
      return RANDOM;
    }
    if (isPool(owner, name, type)) {
      return POOL;
    }
    if (isThread(owner, name)) {
      return THREAD;
    }
    return isBlocking(owner, name, type) ? BLOCK : null;
  }

  private static boolean isClock(String owner, String name, String type) {
    return switch (owner) {
      case "java/lang/System" -> name.equals("nanoTime") || name.equals("currentTimeMillis");
      case "java/time/Clock" ->
          name.startsWith("system") || name.startsWith("tick") && !name.equals("tick");
      case "java/time/InstantSource" -> name.equals("system");
      case "java/util/Date" -> name.equals("<init>") && type.startsWith("()");
      case "java/util/GregorianCalendar" -> name.equals("<init>") && !type.startsWith("(I");
      case "java/util/Calendar" -> name.equals("getInstance");
      case "scala/compat/Platform$", "scala/compat/Platform" -> name.equals("currentTime");
      case "org/agrona/concurrent/SystemNanoClock", "org/agrona/concurrent/SystemEpochClock" ->
          true;
      default ->
          owner.startsWith("java/time/")
              && (name.equals("now") || name.equals("dateNow"))
              && !type.startsWith("(Ljava/time/Clock;)");
    };
  }

  private static boolean isRandom(String owner, String name, String type) {
    return switch (owner) {
      case "java/util/Random", "java/util/SplittableRandom", "scala/util/Random" ->
          name.equals("<init>") && type.startsWith("()");
      case "java/util/random/RandomGeneratorFactory" ->
          name.equals("all") || name.equals("create") && type.startsWith("()");
      case "java/security/SecureRandom" ->
          name.equals("<init>") || name.equals("getSeed") || name.startsWith("getInstance");
      case "java/util/concurrent/ThreadLocalRandom", "scala/util/Random$" -> true;
      case "java/util/UUID" -> name.equals("randomUUID");
      case "java/lang/Math", "java/lang/StrictMath", "scala/math/package$" -> name.equals("random");
      case "java/util/Collections" ->
          name.equals("shuffle") && type.startsWith("(Ljava/util/List;)");
      default ->
          owner.startsWith("java/util/random/RandomGenerator")
              && (name.equals("of") || name.equals("getDefault"))
              && type.endsWith("Generator;");
    };
  }

  private static boolean isPool(String owner, String name, String type) {
    return switch (owner) {
      case CONCURRENT + "ForkJoinPool" -> name.equals("commonPool");
      case CONCURRENT + "ForkJoinTask",
          CONCURRENT + "RecursiveAction",
          CONCURRENT + "RecursiveTask",
          CONCURRENT + "CountedCompleter" ->
          // Pekko's mailboxes extend the first class themselves, and belong to no pool.
          name.equals("<init>") && !owner.endsWith("ForkJoinTask")
              || name.equals("fork")
              || name.startsWith("adapt")
              || name.startsWith("invoke");
      case CONCURRENT + "SubmissionPublisher" -> name.equals("<init>") && type.startsWith("()");
      case CONCURRENT + "ConcurrentHashMap" -> type.startsWith("(J") && !name.equals("<init>");
      case "java/util/Arrays" -> name.startsWith("parallel");
      case "java/util/stream/StreamSupport" -> type.contains("Z)");
      case CONCURRENT + "CompletableFuture", CONCURRENT + "CompletionStage" ->
          isLater(name) || name.endsWith("Async") && !type.contains("Executor;)");
      case "scala/concurrent/ExecutionContext$",
          "scala/concurrent/ExecutionContext",
          "scala/concurrent/ExecutionContext$Implicits$" ->
          name.equals("global");
      default ->
          name.equals("parallelStream")
              || name.equals("parallel") && owner.startsWith("java/util/stream/");
    };
  }

  private static boolean isThread(String owner, String name) {
    return switch (owner) {
      case "java/lang/Thread" ->
          name.equals("<init>") || name.startsWith("start") || name.startsWith("of");
      case CONCURRENT + "Executors" ->
          name.startsWith("new") || name.equals("defaultThreadFactory");
      case CONCURRENT + "ThreadPoolExecutor",
          CONCURRENT + "ScheduledThreadPoolExecutor",
          CONCURRENT + "ForkJoinPool",
          "java/util/Timer" ->
          name.equals("<init>");
      case "java/lang/Runtime" -> name.equals("addShutdownHook");
      default -> owner.startsWith("java/lang/Thread$Builder") && name.equals("start");
    };
  }

  private static boolean isBlocking(String owner, String name, String type) {
    return switch (owner) {
      case "java/lang/Thread" -> name.equals("sleep") || name.equals("join");
      case "java/lang/Object" -> name.equals("wait");
      case CONCURRENT + "TimeUnit" -> name.equals("sleep") || name.startsWith("timed");
      case CONCURRENT + "locks/LockSupport" -> name.startsWith("park");
      default -> owner.startsWith(CONCURRENT) && waits(owner, name, type);
    };
  }

  private static boolean waits(String owner, String name, String type) {
    boolean timed = type.contains(TIMED);
    boolean ofQueue = owner.endsWith("Queue") || owner.endsWith("Deque");
    return switch (name) {
      case "take", "putFirst", "putLast", "takeFirst", "takeLast" -> true;
      case "acquire", "acquireUninterruptibly", "join", "exchange", "transfer" -> true;
      case "put" -> ofQueue;
      case "poll", "offer", "tryAcquire", "tryLock", "invokeAny", "tryTransfer" -> timed;
      case "pollFirst", "pollLast", "offerFirst", "offerLast" -> timed;
      case "invokeAll" -> !owner.endsWith("Task");
      case "get" -> owner.endsWith("Future") || owner.endsWith("Task");
      default -> name.startsWith("await");
    };
  }
}
