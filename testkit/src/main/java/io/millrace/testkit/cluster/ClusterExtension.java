package io.millrace.testkit.cluster;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts and ends the cluster around each test; see {@link ClusterTest}. */
final class ClusterExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(ClusterExtension.class);

  /** Called by JUnit. */
  public ClusterExtension() {}

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    store(context).put(Cluster.class, Cluster.start(options(annotation(context))));
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    Cluster cluster = store(context).remove(Cluster.class, Cluster.class);
    if (cluster != null) {
      boolean hasFailed = context.getExecutionException().isPresent();
      end(cluster, hasFailed, context.getDisplayName(), System.err);
    }
  }

  /**
   * Ends the cluster of a test.
   *
   * @throws ClusterException if a node has failed and the test was not told
   */
  static void end(Cluster cluster, boolean hasTestFailed, String test, PrintStream to)
      throws InterruptedException {
    List<String> failures = cluster.failures();
    boolean isPrinted = hasTestFailed || !failures.isEmpty();
    try (cluster) {
      if (isPrinted) {
        cluster.dumpThreads();
      }
    }
    if (isPrinted) {
      to.println("Output of the nodes of " + test + ":");
      cluster.printOutput(to);
    }
    if (!failures.isEmpty()) {
      throw new ClusterException(String.join("\n", failures));
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Cluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return Objects.requireNonNull(
        store(context).get(Cluster.class), "a cluster is there for tests, not for constructors");
  }

  private static ExtensionContext.Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }

  private static ClusterTest annotation(ExtensionContext context) {
    Optional<ClusterTest> found =
        AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), ClusterTest.class);
    Class<?> type = context.getRequiredTestClass();
    while (found.isEmpty() && type != null) {
      found = AnnotationSupport.findAnnotation(type, ClusterTest.class);
      type = type.getEnclosingClass();
    }
    return found.orElseThrow();
  }

  private static ClusterOptions options(ClusterTest test) {
    ClusterOptions options =
        test.names().length > 0
            ? ClusterOptions.named(test.names())
            : ClusterOptions.jvms(test.jvms());
    for (String node : test.nodeFlags()) {
      int colon = node.indexOf(": ");
      if (colon < 0) {
        throw new IllegalArgumentException("not \"NAME: FLAGS\": " + node);
      }
      String[] flags = node.substring(colon + 2).strip().split(" +");
      options = options.withJvmFlagsOf(node.substring(0, colon), flags);
    }
    return options
        .withHeapMb(test.heapMb())
        .withJvmFlags(test.jvmFlags())
        .withLimit(Duration.ofSeconds(test.limitSeconds()));
  }
}
