package io.millrace.samples.certs;

/** Certificates that cannot be made or used as asked; the message is one line for a person. */
public final class CertificatesException extends Exception {
  private static final long serialVersionUID = 1L;

  CertificatesException(String message) {
    super(message);
  }

  CertificatesException(String message, Throwable cause) {
    super(message, cause);
  }
}
