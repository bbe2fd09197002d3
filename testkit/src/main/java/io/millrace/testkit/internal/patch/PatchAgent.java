package io.millrace.testkit.internal.patch;

import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import org.jspecify.annotations.Nullable;

/**
 * The Java agent that rewrites classes while they load. Its arguments: {@code
 * packages=com.acme;org.foo} for packages beside Pekko and Scala's futures, {@code report} to print
 * the rewritten classes at the end; both arguments with a comma between.
 */
public final class PatchAgent {
  private static volatile @Nullable PatchTransformer transformer;

  private PatchAgent() {}

  /** Called by the JVM before the program starts. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    PatchArguments parsed = PatchArguments.parse(arguments);
    PatchTransformer started = new PatchTransformer(parsed.packages());
    instrumentation.addTransformer(started);
    transformer = started;
    if (parsed.report()) {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> System.err.print(started.report()), "patch-report"));
    }
  }

  /** Whether this JVM rewrites classes, for the simulator that the caller's class loader has. */
  public static boolean isInstalled() {
    return transformer != null;
  }

  /**
   * Returns the packages that this JVM rewrites.
   *
   * @throws IllegalStateException without the agent, saying what to add to the build
   */
  static PatchedPackages packages() {
    PatchTransformer started = transformer;
    if (started == null) {
      throw new IllegalStateException(missing(home()));
    }
    return started.packages();
  }

  /**
   * Refuses to go on without the agent, or with a class that the agent could not rewrite.
   *
   * @throws IllegalStateException saying what to add to the build
   */
  public static void requireInstalled() {
    PatchTransformer started = transformer;
    if (started == null) {
      throw new IllegalStateException(missing(home()));
    }
    started.requireNoFailure();
  }

  static String missing(@Nullable Path jar) {
    boolean known = jar != null && jar.toString().endsWith(".jar");
    return """
    This JVM runs without the agent of the simulator, so Pekko would read the real clock, draw real \
    random numbers and use the common pool. Start Java with
      -javaagent:%s
    or with Maven, beside the flags of millrace.args, in the configuration of maven-surefire-plugin
      <argLine>-javaagent:${io.millrace:testkit:jar}</argLine>
    and an execution of the goal "properties" of maven-dependency-plugin, which sets that property. \
    To have your own packages rewritten too, end it with =packages=com.acme;org.foo\
    """
        .formatted(known ? jar : "/path/to/testkit.jar");
  }

  private static @Nullable Path home() {
    CodeSource source = PatchAgent.class.getProtectionDomain().getCodeSource();
    try {
      return source == null ? null : Path.of(source.getLocation().toURI());
    } catch (URISyntaxException _) {
      return null;
    }
  }
}
