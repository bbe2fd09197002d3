package io.millrace.testkit.driver;

import io.millrace.testkit.internal.driver.NeededDriver;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides whether a test with {@link NeedsDriver} runs here. */
final class DriverCondition implements ExecutionCondition {
  private static final String OF_LIBFABRIC = "fabric:";

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<NeedsDriver> needs =
        AnnotationSupport.findAnnotation(context.getElement(), NeedsDriver.class);
    if (needs.isEmpty()) {
      return ConditionEvaluationResult.enabled("needs no driver");
    }
    String driver = needs.get().value();
    boolean isRequired =
        driver.startsWith(OF_LIBFABRIC) && "1".equals(System.getenv(NeededDriver.REQUIRE));
    return NeededDriver.evaluate(driver, context.getDisplayName(), isRequired);
  }
}
