package io.millrace.handshake.certificates;

/**
 * The files of certificates have changed.
 *
 * @param used whether the new certificates are in use; if not, the former are
 * @param detail the owner and the end date of the certificate, or the fault of the files
 */
public record CertificateReload(boolean used, String detail) {}
