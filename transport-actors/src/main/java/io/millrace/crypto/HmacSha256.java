package io.millrace.crypto;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC with SHA-256 under one key, which is scheduled once. Not thread-safe: its owner calls it
 * from one thread.
 */
public final class HmacSha256 {
  /** Bytes of a tag. */
  public static final int LENGTH = 32;

  private final Mac mac;

  /** Schedules {@code key}; the array stays the caller's. */
  public HmacSha256(byte[] key) {
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no HmacSHA256", e);
    }
  }

  /** The tag of the concatenated parts. */
  public byte[] tag(byte[]... parts) {
    for (byte[] part : parts) {
      mac.update(part);
    }
    return mac.doFinal();
  }

  /**
   * Whether {@code tag} is the tag of the concatenated parts; takes equally long wherever it
   * differs.
   */
  public boolean matches(byte[] tag, byte[]... parts) {
    return MessageDigest.isEqual(tag, tag(parts));
  }
}
