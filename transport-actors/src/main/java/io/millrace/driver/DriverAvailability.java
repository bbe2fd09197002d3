package io.millrace.driver;

/** The answer of {@link DriverProvider#probe()}. */
public sealed interface DriverAvailability {
  /** The driver works here and its endpoints will have these capabilities. */
  record Available(Capabilities capabilities) implements DriverAvailability {}

  /** The driver does not work here; {@code reason} is a sentence for a person. */
  record Unavailable(String reason) implements DriverAvailability {}
}
