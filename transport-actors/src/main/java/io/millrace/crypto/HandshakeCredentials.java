package io.millrace.crypto;

/**
 * What a node proves its identity with: a pre-shared key, a certificate with its private key. Each
 * provider has its own kind and refuses all others. Never printed.
 */
public interface HandshakeCredentials {}
