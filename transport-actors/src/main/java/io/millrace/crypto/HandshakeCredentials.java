package io.millrace.crypto;

/**
 * The credentials of a node's identity: a pre-shared key, a certificate with its private key. Each
 * provider has its own kind of credentials and refuses all other kinds. Never printed.
 */
public interface HandshakeCredentials {}
