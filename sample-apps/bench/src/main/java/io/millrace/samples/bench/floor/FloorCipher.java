package io.millrace.samples.bench.floor;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.SplittableRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals and opens records in heap arrays, as fast as the JDK can. The key is public: the sealed
 * bytes are worth no secrecy. Used by one thread.
 */
final class FloorCipher {
  static final int RECORD_BYTES = 1 << 16;
  static final int TAG_BYTES = 16;
  static final int SEALED_BYTES = RECORD_BYTES + TAG_BYTES;

  private static final int KEY_BYTES = 16;
  private static final int NONCE_BYTES = 12;
  private static final int CHECKED_EVERY = 64;

  private final SecretKeySpec key = new SecretKeySpec(new byte[KEY_BYTES], "AES");
  private final Cipher cipher;
  private final byte[] plain = new byte[RECORD_BYTES];
  private final byte[] opened = new byte[SEALED_BYTES];

  FloorCipher() {
    try {
      cipher = Cipher.getInstance("AES/GCM/NoPadding", "SunJCE");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    }
    new SplittableRandom(1).nextBytes(plain);
  }

  /** Seals the only record under a number that each side uses once. */
  void seal(long number, byte[] into) {
    try {
      cipher.init(Cipher.ENCRYPT_MODE, key, nonce(number));
      cipher.doFinal(plain, 0, RECORD_BYTES, into, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("sealing failed", e);
    }
  }

  /**
   * Whether the record carries the right tag for this number; compares the bytes of every 64th
   * record, too.
   */
  boolean open(long number, byte[] sealed) {
    try {
      cipher.init(Cipher.DECRYPT_MODE, key, nonce(number));
      cipher.doFinal(sealed, 0, SEALED_BYTES, opened, 0);
      return number % CHECKED_EVERY != 0
          || Arrays.equals(opened, 0, RECORD_BYTES, plain, 0, RECORD_BYTES);
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("opening failed", e);
    }
  }

  private static GCMParameterSpec nonce(long number) {
    byte[] nonce = ByteBuffer.allocate(NONCE_BYTES).putLong(Integer.BYTES, number).array();
    return new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce);
  }
}
