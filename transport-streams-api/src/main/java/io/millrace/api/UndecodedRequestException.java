package io.millrace.api;

/** What ends a transfer whose request could not be decoded: the caller is told so. */
final class UndecodedRequestException extends RuntimeException implements IntendedFailure {
  private static final long serialVersionUID = 1L;

  UndecodedRequestException(Throwable cause) {
    super(cause.getMessage(), cause, false, false);
  }
}
