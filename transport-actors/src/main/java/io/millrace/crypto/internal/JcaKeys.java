package io.millrace.crypto.internal;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.ErasableKey;
import io.millrace.crypto.PacketCipher;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/** Ends of keys in the JDK's ciphers. Stateless. */
final class JcaKeys {
  private static final GCMParameterSpec NO_NONCE =
      new GCMParameterSpec(PacketCipher.TAG_LENGTH * Byte.SIZE, new byte[AeadKey.IV_LENGTH]);

  private JcaKeys() {}

  /**
   * Overwrites the key, and gives the cipher another key, whose schedule takes the place of the
   * cipher's own: nothing more can be done about the inside of the cipher.
   */
  static void forget(Cipher cipher, ErasableKey key) {
    key.close();
    try {
      cipher.init(Cipher.DECRYPT_MODE, key.zeros(), NO_NONCE);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK refused a key of zeros", e);
    }
  }
}
