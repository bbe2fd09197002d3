package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClassPatcherTest {
  private static final long NOW_NS = 1_234_567_000_000L;

  private final FixedSurroundings surroundings = new FixedSurroundings(NOW_NS, 99);
  private final PatchedProbe probe = new PatchedProbe();

  private Object simulated(String method) throws Exception {
    return surroundings.call(() -> probe.call(Probe.class, method));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nanoTime", "nanoTimeByReference"})
  void shouldReadTheMonotonicClockOfTheSimulation(String method) throws Exception {
    assertEquals(NOW_NS, simulated(method));
    surroundings.advance(5);
    assertEquals(NOW_NS + 5, simulated(method));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "currentTimeMillis",
        "date",
        "instant",
        "systemClock",
        "clockOfZone",
        "localDateTime",
        "zonedDateTime",
        "instantSource",
        "calendar",
        "calendarOfZoneAndLocale",
        "gregorian",
        "gregorianOfZone",
        "gregorianOfZoneAndLocale",
        "gregorianByReference"
      })
  void shouldReadTheTimeOfDayOfTheSimulation(String method) throws Exception {
    assertEquals(NOW_NS / 1_000_000, simulated(method));
    surroundings.advance(2_000_000);
    assertEquals(NOW_NS / 1_000_000 + 2, simulated(method));
  }

  @Test
  void shouldMakeCalendarsOfUtcWhereNoZoneIsNamed() throws Exception {
    assertEquals("UTCAsia/Tokyo", simulated("calendarZones"));
  }

  @Test
  void shouldDrawFromTheGeneratorOfTheSimulation() throws Exception {
    Random expected = new Random(99);
    assertEquals(expected.nextLong() + expected.nextInt(7, 1_000), simulated("threadRandom"));
    assertEquals(expected.nextDouble(), simulated("mathRandom"));
  }

  @Test
  void shouldDrawFromTheGeneratorOfTheSimulationWhereTheTypeIsSeen() throws Exception {
    Random expected = new Random(99);
    assertEquals(
        expected.nextInt(1_000_000),
        surroundings.call(() -> probe.call(Probe.Holder.class, "draw")));
    assertEquals(
        expected.nextInt(),
        surroundings.call(() -> probe.call(Probe.Holder.class, "drawByReference")));
    assertEquals(
        expected.nextInt(),
        surroundings.call(() -> probe.call(Probe.Holder.class, "drawByBoundReference")));
  }

  @Test
  void shouldHaveATwinOfEveryDrawOfAThreadsGenerator() throws Exception {
    List<String> missing = new ArrayList<>();
    List<Method> twins = List.of(ThreadRandomCalls.class.getMethods());
    for (Method draw : ThreadLocalRandom.class.getMethods()) {
      boolean own = draw.getDeclaringClass() != Object.class && !isStatic(draw);
      if (own && twins.stream().noneMatch(x -> isTwin(draw, x))) {
        missing.add(draw.toString());
      }
    }
    assertEquals(List.of(), missing);
  }

  private static boolean isStatic(Method method) {
    return Modifier.isStatic(method.getModifiers());
  }

  private static boolean isTwin(Method draw, Method twin) {
    List<Class<?>> parameters = new ArrayList<>(List.of(Random.class));
    parameters.addAll(List.of(draw.getParameterTypes()));
    return twin.getName().equals(draw.getName())
        && twin.getReturnType() == draw.getReturnType()
        && Arrays.asList(twin.getParameterTypes()).equals(parameters);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "random",
        "randomByReference",
        "splittableRandom",
        "secureRandom",
        "secureRandomWithSeed",
        "secureRandomByName",
        "secureRandomByNameAndProvider",
        "strongRandom",
        "seedBytes",
        "generator",
        "generatorByName",
        "secureGeneratorByName",
        "generatorOfFactory",
        "generatorOfFactoryByReference",
        "shuffle"
      })
  void shouldMakeGeneratorsThatFollowTheSeed(String method) throws Exception {
    Object first = simulated(method);
    assertEquals(
        first, new FixedSurroundings(0, 99).call(() -> probe.call(Probe.class, method)), method);
    assertNotEquals(
        first, new FixedSurroundings(0, 98).call(() -> probe.call(Probe.class, method)), method);
    assertNotEquals(first, simulated(method), "a second one in the same simulation");
  }

  @Test
  void shouldTakeIdentifiersFromTheSimulation() throws Exception {
    assertEquals(FixedSurroundings.ID, simulated("uuid"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"supplyAsync", "thenApplyAsync", "whenCompleteAsync", "ownFuture"})
  void shouldRunCallbacksOfFuturesOnTheExecutorOfTheSimulation(String method) throws Exception {
    CompletableFuture<?> future = assertInstanceOf(CompletableFuture.class, simulated(method));
    assertEquals(1, surroundings.executed.size());
    assertFalse(future.isDone());
    surroundings.executed.getFirst().run();
    assertTrue(future.isDone());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleeps",
        "startThread",
        "makeOwnThread",
        "forkTask",
        "commonPool",
        "parallelStream",
        "parallelSort",
        "parallelMap",
        "parallelSupport",
        "generatorOfKind"
      })
  void shouldRefuseWhatCannotBeSimulated(String method) throws Exception {
    assertRefused(() -> simulated(method));
  }

  private void assertRefused(Executable call) {
    ExecutionException failure = assertThrows(ExecutionException.class, call);
    assertInstanceOf(NotSimulatedException.class, failure.getCause());
    assertEquals(1, surroundings.refused.size());
    String text = surroundings.refused.getFirst();
    assertTrue(text.contains(" cannot be simulated: "), text);
    assertTrue(failure.toString().contains(text), failure::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"delayedExecutor", "orTimeout", "completeOnTimeout"})
  void shouldSayWhatToUseInsteadOfDelays(String method) {
    assertThrows(ExecutionException.class, () -> simulated(method));
    assertEquals(
        List.of(
            "java.util.concurrent.CompletableFuture."
                + method
                + " cannot be simulated: use node.system().scheduler().scheduleOnce(...), an"
                + " actor's timer, or for a call TransferOptions.withDeadline(...)"),
        surroundings.refused);
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseToWaitOnlyWhereItWouldHaveToWait() {
    return Stream.of(ProbeOfWaits.class.getDeclaredMethods())
        .filter(x -> !x.isSynthetic())
        .map(x -> DynamicTest.dynamicTest(x.getName(), () -> assertWaits(x.getName())));
  }

  private void assertWaits(String method) throws Exception {
    surroundings.refused.clear();
    Callable<Object> call = () -> surroundings.call(() -> probe.call(ProbeOfWaits.class, method));
    if (method.startsWith("lacks")) {
      assertRefused(call::call);
    } else {
      assertEquals(1, call.call());
      assertEquals(1, probe.call(ProbeOfWaits.class, method), "outside a simulation");
      assertEquals(List.of(), surroundings.refused);
    }
  }

  @Test
  void shouldSayWhatToUseInsteadOfWaiting() {
    ExecutionException failure =
        assertThrows(
            ExecutionException.class,
            () -> surroundings.call(() -> probe.call(ProbeOfWaits.class, "lacksJoin")));
    String text = String.valueOf(failure.getMessage());
    assertTrue(
        text.contains("java.util.concurrent.CompletableFuture.join cannot be simulated: "), text);
    assertTrue(text.contains("node.environment().await(future, ns)"), text);
  }

  @Test
  void shouldLeaveSequentialStreamsAlone() throws Exception {
    assertEquals(List.of(1, 2), simulated("sequentialSupport"));
  }

  @Test
  void shouldNotMakeGeneratorsOfNamesThatNobodyKnows() {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> simulated("unknownRandom"));
    assertInstanceOf(NoSuchAlgorithmException.class, failure.getCause());
  }

  @Test
  void shouldWaitInVirtualTimeForTheEndOfASimulatedExecutor() throws Exception {
    assertTrue(
        surroundings.call(
            () -> SimulatedWaits.awaitTermination(new EndedExecutor(), 1, TimeUnit.DAYS)));
    ExecutorService own = new ForkJoinPool(1);
    try (own) {
      assertRefused(
          () -> surroundings.call(() -> SimulatedWaits.awaitTermination(own, 1, TimeUnit.DAYS)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "threadRandom",
        "random",
        "randomByReference",
        "splittableRandom",
        "secureRandom",
        "mathRandom",
        "uuid",
        "sleeps",
        "commonPool",
        "parallelStream",
        "parallelSort",
        "parallelMap",
        "parallelSupport",
        "makeOwnThread",
        "forkTask",
        "secureRandomWithSeed",
        "secureRandomByName",
        "secureRandomByNameAndProvider",
        "strongRandom",
        "seedBytes",
        "generator",
        "secureGeneratorByName",
        "generatorOfFactoryByReference",
        "calendarZones",
        "shuffle"
      })
  void shouldDoWhatTheJdkDoesOutsideASimulation(String method) throws Exception {
    assertEquals(
        probe.call(Probe.class, method).getClass(),
        new PatchedProbe().call(Probe.class, method).getClass());
  }

  @Test
  void shouldReadTheClocksOfTheJdkOutsideASimulation() throws Exception {
    long before = System.nanoTime();
    long read = (Long) probe.call(Probe.class, "nanoTime");
    assertTrue(read - before >= 0 && System.nanoTime() - read >= 0);
    long beforeMs = System.currentTimeMillis();
    for (String method :
        List.of("currentTimeMillis", "date", "calendar", "gregorianOfZone", "zonedDateTime")) {
      assertTrue((Long) probe.call(Probe.class, method) >= beforeMs - 1, method);
    }
  }

  @Test
  void shouldRunCallbacksOnTheCommonPoolOutsideASimulation() throws Exception {
    for (String method : List.of("supplyAsync", "thenApplyAsync", "ownFuture")) {
      ((CompletableFuture<?>) probe.call(Probe.class, method)).get(60, TimeUnit.SECONDS);
    }
    assertEquals(List.of(), surroundings.executed);
  }

  @Test
  void shouldLeaveTheConstructorOfASuperclass() throws Exception {
    assertEquals(false, surroundings.call(() -> probe.call(Probe.OwnRandom.class, "draw")));
  }

  @Test
  void shouldLeaveAClassWithoutSuchCallsAlone() throws Exception {
    ClassPatcher patcher = new ClassPatcher(getClass().getClassLoader());
    assertNull(patcher.patch(PatchedProbe.bytes(PatchedPackages.class)));
  }

  /** Reports its end only when a caller waits for this end. */
  private static final class EndedExecutor extends AbstractExecutorService
      implements SimulatedExecutor {
    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
