package io.millrace.api;

/** The headers of a response are longer than the node's limit. */
final class LongHeadersException extends RuntimeException implements IntendedFailure {
  private static final long serialVersionUID = 1;

  LongHeadersException(String problem) {
    super(problem);
  }
}
