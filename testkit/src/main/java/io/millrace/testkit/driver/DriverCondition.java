package io.millrace.testkit.driver;

import io.millrace.actor.pool.DriverChoice;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverProvider;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides whether a test that {@link NeedsDriver} runs here. */
public final class DriverCondition implements ExecutionCondition {
  private static final String REQUIRE = "MILLRACE_REQUIRE_LIBFABRIC";
  private static final String OF_LIBFABRIC = "fabric:";

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<NeedsDriver> needs =
        AnnotationSupport.findAnnotation(context.getElement(), NeedsDriver.class);
    if (needs.isEmpty()) {
      return ConditionEvaluationResult.enabled("needs no driver");
    }
    String driver = needs.get().value();
    boolean isRequired = driver.startsWith(OF_LIBFABRIC) && "1".equals(System.getenv(REQUIRE));
    return evaluate(driver, context.getDisplayName(), isRequired);
  }

  /**
   * What is done with a test here.
   *
   * @param driver the driver that it needs
   * @param test its name
   * @param isRequired whether it fails where the driver is not usable
   */
  public static ConditionEvaluationResult evaluate(String driver, String test, boolean isRequired) {
    String absence =
        DriverChoice.discover().stream()
            .map(provider -> provider.named(driver))
            .filter(Objects::nonNull)
            .findFirst()
            .map(DriverCondition::absence)
            .orElse("it is not on the class path");
    if (absence.isEmpty()) {
      return ConditionEvaluationResult.enabled(driver + " is here");
    }
    String reason = driver + " is not usable here: " + absence;
    if (isRequired) {
      throw new AssertionError(reason + ", and " + REQUIRE + " is set");
    }
    System.err.println("SKIPPED " + test + ": " + reason);
    return ConditionEvaluationResult.disabled(reason);
  }

  private static String absence(DriverProvider driver) {
    return driver.probe() instanceof DriverAvailability.Unavailable no ? no.reason() : "";
  }
}
