package io.millrace.crypto;

/** The answer of {@link AeadProvider#probe()}. */
public sealed interface AeadAvailability {
  /** It works here; {@code detail} says in one sentence with which library and at what cost. */
  record Available(String detail) implements AeadAvailability {}

  /** It does not work here; {@code reason} is one sentence for a person. */
  record Unavailable(String reason) implements AeadAvailability {}
}
