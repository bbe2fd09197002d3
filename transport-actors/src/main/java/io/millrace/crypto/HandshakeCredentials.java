package io.millrace.crypto;

import java.security.SecureRandom;

/**
 * What a node proves its identity with: a pre-shared key, a certificate with its private key. Each
 * provider has its own kind and refuses all others. Never printed.
 */
public interface HandshakeCredentials {
  /**
   * Derives 32 bytes that this node has again after a restart and that only holders of the same
   * credentials can derive. By default they are random: then peers of a node that restarts learn of
   * it by its silence.
   *
   * @param label what they are for
   * @param context what else they depend on, at most 255 bytes
   */
  default byte[] derive(String label, byte[] context) {
    byte[] random = new byte[Hkdf.KEY_LENGTH];
    new SecureRandom().nextBytes(random);
    return random;
  }
}
