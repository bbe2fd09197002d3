package io.millrace.crypto;

/** The answer of {@link AeadProvider#probe()}. */
public sealed interface AeadAvailability {
  /**
   * The provider works here; {@code detail} says in a sentence with which library and at which
   * cost.
   */
  record Available(String detail) implements AeadAvailability {}

  /** The provider does not work here; {@code reason} is a sentence for a person. */
  record Unavailable(String reason) implements AeadAvailability {}
}
