package io.millrace.testkit.sim.patch;

import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which calls are rewritten and how: the one table, read by the patcher and by the scan. */
final class Rewrites {
  private static final String FUTURE = "java/util/concurrent/CompletableFuture";
  private static final String STAGE = "java/util/concurrent/CompletionStage";
  private static final String EXECUTOR_LAST = "Ljava/util/concurrent/Executor;)";

  private static final Rewrite THREAD_RANDOM = new ThreadRandom();
  private static final Rewrite REFUSE = new Refuse();
  private static final Rewrite NOW = new Append("localClock", Descriptors.CLOCK);
  private static final Rewrite ZONED_NOW = new ZonedNow();
  private static final Rewrite ASYNC = new Append("defaultExecutor", Descriptors.EXECUTOR);

  /** By owner, name and parameters, as in {@code java/lang/System.nanoTime()}. */
  private static final Map<String, Rewrite> BY_PARAMETERS = new LinkedHashMap<>();

  /** By owner and name, whatever the parameters. */
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
    redirect("java/time/Clock.systemDefaultZone()", "localClock", Descriptors.CLOCK);
    redirect("java/time/Clock.system(Ljava/time/ZoneId;)", "clock", Descriptors.CLOCK);
    BY_PARAMETERS.put("java/util/Random.<init>()", new Create("newRandom"));
    BY_PARAMETERS.put("java/util/SplittableRandom.<init>()", new Create("newSplittableRandom"));
    BY_PARAMETERS.put("java/security/SecureRandom.<init>()", new Create("newSecureRandom"));
    BY_PARAMETERS.put("java/util/Date.<init>()", new Create("date"));
    BY_PARAMETERS.put(
        "java/util/Collections.shuffle(Ljava/util/List;)",
        new Append("random", Descriptors.RANDOM));
    refuse("java/lang/Thread", "sleep", "start", "startVirtualThread", "join");
    refuse("java/lang/Thread$Builder", "start");
    refuse("java/lang/Thread$Builder$OfPlatform", "start");
    refuse("java/lang/Thread$Builder$OfVirtual", "start");
    refuse("java/util/concurrent/TimeUnit", "sleep", "timedJoin", "timedWait");
    refuse("java/util/concurrent/locks/LockSupport", "park", "parkNanos", "parkUntil");
    refuse("java/lang/Object", "wait");
    refuse("java/util/concurrent/ForkJoinPool", "commonPool", "<init>");
    refuse("java/util/concurrent/ThreadPoolExecutor", "<init>");
    refuse("java/util/concurrent/ScheduledThreadPoolExecutor", "<init>");
    refuse("java/util/Timer", "<init>");
    refuse("scala/concurrent/ExecutionContext$", "global");
    refuse("scala/concurrent/ExecutionContext", "global");
    refuse("scala/concurrent/ExecutionContext$Implicits$", "global");
    refuse(FUTURE, "orTimeout", "completeOnTimeout", "delayedExecutor");
    refuse("java/time/Clock", "tickMillis", "tickSeconds", "tickMinutes");
  }

  private Rewrites() {}

  /** What becomes of calls of that method; null where they stay. */
  static @Nullable Rewrite of(MemberRefEntry method) {
    return of(
        method.owner().asInternalName(), method.name().stringValue(), method.type().stringValue());
  }

  /** What becomes of calls of that method, all three as in a class file; null where they stay. */
  static @Nullable Rewrite of(String owner, String name, String type) {
    String parameters = type.substring(0, type.indexOf(')') + 1);
    String call = owner + "." + name;
    Rewrite exact = BY_PARAMETERS.get(call + parameters);
    if (exact != null) {
      return exact;
    }
    Rewrite named = BY_NAME.get(call);
    return named != null ? named : ofFamily(owner, name, parameters);
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
    if (owner.equals("scala/util/Random$")) {
      return REFUSE; // one generator for the whole JVM
    }
    boolean starts = owner.equals("java/util/concurrent/Executors") && name.startsWith("new");
    boolean parallel = name.equals("parallelStream") && owner.startsWith("java/util/");
    boolean turnsParallel = name.equals("parallel") && owner.startsWith("java/util/stream/");
    return starts || parallel || turnsParallel ? REFUSE : null;
  }

  private static void redirect(String call, String target, ClassDesc result) {
    BY_PARAMETERS.put(call, new Redirect(target, result));
  }

  private static void refuse(String owner, String... names) {
    for (String name : names) {
      BY_NAME.put(owner + "." + name, REFUSE);
    }
  }
}
