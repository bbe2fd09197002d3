package io.millrace.crypto;

/** The answer of {@link HandshakeProvider#probe()}. */
public sealed interface HandshakeAvailability {
  /** The provider works here. */
  record Available() implements HandshakeAvailability {}

  /** The provider does not work here; {@code reason} is a sentence for a person. */
  record Unavailable(String reason) implements HandshakeAvailability {}
}
