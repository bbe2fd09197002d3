package io.millrace.testkit.internal.driver;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverProvider;
import io.millrace.engine.DriverChoice;
import java.util.Objects;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;

/** Decides whether a test runs whose driver may be missing here. */
public final class NeededDriver {
  /** In the environment, says that drivers of libfabric must be usable here. */
  public static final String REQUIRE = "MILLRACE_REQUIRE_LIBFABRIC";

  private NeededDriver() {}

  /**
   * Decides whether a test runs here, is skipped or fails.
   *
   * @param driver needed by the test
   * @param test the test's name
   * @param isRequired whether the test fails where the driver is not usable
   */
  public static ConditionEvaluationResult evaluate(String driver, String test, boolean isRequired) {
    String absence =
        DriverChoice.discover().stream()
            .map(provider -> provider.named(driver))
            .filter(Objects::nonNull)
            .findFirst()
            .map(NeededDriver::absence)
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
