package io.millrace.crypto;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;

/**
 * HMAC with SHA-256 under a single key, scheduled once. Not thread-safe: the owner calls the MAC
 * from a single thread, and closes the MAC when the key is needed no more.
 */
public final class HmacSha256 implements AutoCloseable {
  private static final String ALGORITHM = "HmacSHA256";

  /** Bytes of a tag. */
  public static final int LENGTH = 32;

  private final Mac mac;

  /** Schedules {@code key}; the array stays the caller's. */
  public HmacSha256(byte[] key) {
    try {
      mac = Mac.getInstance(ALGORITHM);
    } catch (GeneralSecurityException e) {
      throw noMac(e);
    }
    schedule(key);
  }

  /** Schedules a key that was derived for nothing else, and overwrites the array. */
  public static HmacSha256 ofDerived(byte[] key) {
    try {
      return new HmacSha256(key);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  private void schedule(byte[] key) {
    try (ErasableKey scheduled = new ErasableKey(key, ALGORITHM)) {
      mac.init(scheduled);
    } catch (GeneralSecurityException e) {
      throw noMac(e);
    }
  }

  private static IllegalStateException noMac(GeneralSecurityException cause) {
    return new IllegalStateException("this JDK has no HmacSHA256", cause);
  }

  /** The tag of the concatenated parts. */
  public byte[] tag(byte[]... parts) {
    for (byte[] part : parts) {
      mac.update(part);
    }
    return mac.doFinal();
  }

  /**
   * Whether {@code tag} is the tag of the concatenated parts; takes equally long wherever the tags
   * differ.
   */
  public boolean matches(byte[] tag, byte[]... parts) {
    return MessageDigest.isEqual(tag, tag(parts));
  }

  /**
   * Overwrites the schedule with the schedule of a key of zeros. Idempotent; tags of a closed MAC
   * mean nothing.
   */
  @Override
  public void close() {
    schedule(new byte[LENGTH]);
  }
}
