package io.millrace.handshake.certificates;

/**
 * The files of certificates have changed.
 *
 * @param used whether the new ones are in use; if not, the former are
 * @param detail whose certificate it is and until when, or what is wrong with the files
 */
public record CertificateReload(boolean used, String detail) {}
