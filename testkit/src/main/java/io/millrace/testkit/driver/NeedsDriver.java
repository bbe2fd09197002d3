package io.millrace.testkit.driver;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The test needs a driver that is not everywhere. Without the driver, the test is skipped and says
 * why on the error stream. Where {@code MILLRACE_REQUIRE_LIBFABRIC=1} is in the environment, the
 * test fails instead if the driver belongs to libfabric.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DriverCondition.class)
public @interface NeedsDriver {
  /** The driver's name as users type it, for example {@code fabric:sockets}. */
  String value();
}
