package io.millrace.crypto;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HKDF exactly as in RFC 5869, from HMAC alone: the reference for the implementation under test.
 */
public final class IndependentHkdf {
  private IndependentHkdf() {}

  /** Extracts. */
  public static byte[] extract(byte[] salt, byte[] inputKey) {
    return hmac(salt.length == 0 ? new byte[32] : salt, inputKey);
  }

  /** Expands. */
  public static byte[] expand(byte[] key, byte[] info, int length) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    byte[] block = {};
    for (int counter = 1; output.size() < length; counter++) {
      ByteArrayOutputStream input = new ByteArrayOutputStream();
      input.writeBytes(block);
      input.writeBytes(info);
      input.write(counter);
      block = hmac(key, input.toByteArray());
      output.writeBytes(block);
    }
    return Arrays.copyOf(output.toByteArray(), length);
  }

  /** Expands under a label of this protocol. */
  public static byte[] expandLabel(byte[] key, String label, byte[] context, int length) {
    byte[] name = ("millrace1 " + label).getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream info = new ByteArrayOutputStream();
    info.write(length >> 8);
    info.write(length);
    info.write(name.length);
    info.writeBytes(name);
    info.write(context.length);
    info.writeBytes(context);
    return expand(key, info.toByteArray(), length);
  }

  /** HMAC-SHA256. */
  public static byte[] hmac(byte[] key, byte[] data) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(data);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
