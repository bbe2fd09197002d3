package io.millrace.efa;

import io.millrace.driver.DriverAvailability;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides whether a test that {@link NeedsProvider} runs here. */
final class ProviderCondition implements ExecutionCondition {
  private static final String REQUIRE = "MILLRACE_REQUIRE_LIBFABRIC";

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<NeedsProvider> needs =
        AnnotationSupport.findAnnotation(context.getElement(), NeedsProvider.class);
    if (needs.isEmpty()) {
      return ConditionEvaluationResult.enabled("needs no provider");
    }
    return evaluate(
        needs.get().value(), context.getDisplayName(), "1".equals(System.getenv(REQUIRE)));
  }

  static ConditionEvaluationResult evaluate(String provider, String test, boolean isRequired) {
    DriverAvailability availability = FabricDrivers.provider(provider).probe();
    if (!(availability instanceof DriverAvailability.Unavailable unavailable)) {
      return ConditionEvaluationResult.enabled("fabric:" + provider + " is here");
    }
    String reason = "fabric:" + provider + " is not usable here: " + unavailable.reason();
    if (isRequired) {
      throw new AssertionError(reason + ", and " + REQUIRE + " is set");
    }
    System.err.println("SKIPPED " + test + ": " + reason);
    return ConditionEvaluationResult.disabled(reason);
  }
}
