package io.millrace.spring;

import io.millrace.config.SettingsException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a bad property below {@code millrace} by one sentence instead of a stack trace. */
final class SettingsFailureAnalyzer extends AbstractFailureAnalyzer<SettingsException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, SettingsException cause) {
    return new FailureAnalysis(
        String.valueOf(cause.getMessage()),
        "Correct the property; its place is named above. docs/configuration.md has all keys.",
        cause);
  }
}
