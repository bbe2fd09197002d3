package io.millrace.api;

/** A response has more headers than its node sends. */
final class LongHeadersException extends RuntimeException implements IntendedFailure {
  private static final long serialVersionUID = 1;

  LongHeadersException(String problem) {
    super(problem);
  }
}
