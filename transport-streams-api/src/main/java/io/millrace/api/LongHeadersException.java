package io.millrace.api;

/** A response has more headers than its node sends. */
final class LongHeadersException extends RuntimeException {
  private static final long serialVersionUID = 1;

  LongHeadersException(int length, int mostBytes) {
    super(length + " bytes of headers are more than millrace.limits.headers = " + mostBytes);
  }
}
