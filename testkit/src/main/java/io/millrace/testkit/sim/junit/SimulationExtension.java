package io.millrace.testkit.sim.junit;

import io.millrace.engine.NativeAccess;
import io.millrace.testkit.internal.scenario.Corpus;
import io.millrace.testkit.internal.scenario.Keep;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.SimRunner;
import io.millrace.testkit.sim.SimRun;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Calls a test method as the scenario of many runs; see {@link SimulationTest}. */
final class SimulationExtension implements InvocationInterceptor, ParameterResolver {
  private static final String SEED = "millrace.sim.seed";
  private static final String SEEDS = "millrace.sim.seeds";
  private static final String KEEP = "millrace.sim.keep";

  /** Called by JUnit. */
  public SimulationExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == SimRun.class;
  }

  /** Returns nothing: each seed makes a run of its own later. */
  @Override
  public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return null;
  }

  @Override
  @SuppressWarnings("NullAway") // JUnit declares no null for the result of Void
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    invocation.skip();
    NativeAccess.require();
    Method scenario = method.getExecutable();
    requireScenario(scenario);
    RunInstance.requireOneForEach(context);
    SimulationTest test =
        Objects.requireNonNull(scenario.getAnnotation(SimulationTest.class), "the annotation");
    Campaign campaign =
        new Campaign(
            scenarioOf(scenario, context),
            new CampaignSettings(
                context.getRequiredTestClass().getName() + "#" + scenario.getName(),
                "src/test/resources/"
                    + context.getRequiredTestClass().getPackageName().replace('.', '/')
                    + "/"
                    + corpusName(context.getRequiredTestClass(), scenario),
                threads(test),
                test.shrinkRuns(),
                patience(test)));
    String seed = System.getProperty(SEED);
    if (seed != null) {
      Keep keep = Keep.parse(System.getProperty(KEEP, ""));
      campaign.replay(RunSettings.of(Long.parseLong(seed)).withKeep(keep));
      return;
    }
    List<RunSettings> corpus = corpus(context.getRequiredTestClass(), scenario);
    String others = System.getProperty(SEEDS);
    if (others != null) {
      campaign.runSome(corpus, List.of(TestSeeds.parse(others)));
    } else {
      campaign.run(
          corpus, Stream.of(test.seeds()).map(TestSeeds::parse).map(TestSeeds::repeated).toList());
    }
  }

  private static void requireScenario(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    if (parameters.length != 1 || parameters[0] != SimRun.class) {
      throw new IllegalStateException(method + " must have one parameter, a SimRun");
    }
  }

  private static Scenario scenarioOf(Method method, ExtensionContext context) {
    method.trySetAccessible();
    return run -> {
      RunInstance target = RunInstance.of(context);
      target.before();
      try {
        method.invoke(target.innermost(), run);
      } catch (InvocationTargetException e) {
        throw unwrapped(e);
      } finally {
        target.after();
      }
    };
  }

  private static Exception unwrapped(InvocationTargetException e) {
    return switch (e.getCause()) {
      case Exception exception -> exception;
      case Error error -> throw error;
      case null, default -> e;
    };
  }

  private static int threads(SimulationTest test) {
    return test.threads() > 0 ? test.threads() : Runtime.getRuntime().availableProcessors();
  }

  private static List<RunSettings> corpus(Class<?> type, Method method) throws IOException {
    return Corpus.read(type.getResourceAsStream(corpusName(type, method)));
  }

  private static String corpusName(Class<?> type, Method method) {
    // A nested class has the names of both classes.
    String name = type.getName().substring(type.getPackageName().length() + 1);
    return name + "." + method.getName() + ".seeds";
  }

  private static Duration patience(SimulationTest test) {
    return Duration.ofSeconds(Integer.getInteger(SimRunner.PATIENCE, test.patienceSeconds()));
  }
}
