package io.millrace.api;

/**
 * The failure of a transfer with an undecodable request: the caller gets {@code
 * REQUEST_NOT_DECODED}.
 */
final class UndecodedRequestException extends RuntimeException implements IntendedFailure {
  private static final long serialVersionUID = 1L;

  UndecodedRequestException(Throwable cause) {
    super(cause.getMessage(), cause, false, false);
  }
}
