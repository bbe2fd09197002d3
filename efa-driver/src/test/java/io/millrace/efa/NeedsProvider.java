package io.millrace.efa;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The test needs a provider of libfabric. Without it, it is skipped and says why on the error
 * stream; with {@code MILLRACE_REQUIRE_LIBFABRIC=1} in the environment it fails instead.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ProviderCondition.class)
public @interface NeedsProvider {
  /** libfabric's name of the provider. */
  String value();
}
