package io.millrace.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * HKDF with SHA-256 (RFC 5869) and the labelled expansion of TLS 1.3 (RFC 8446, section 7.1) under
 * the prefix of this protocol. Stateless; any thread; allocates.
 *
 * <p>Every key of Millrace comes from {@link #expandLabel}: the information given to HKDF is the
 * length of the output (2 bytes, big endian), the length of the label (1 byte), {@value #PREFIX}
 * and the label in ASCII, the length of the context (1 byte) and the context. Outputs of different
 * lengths, labels or contexts are therefore independent of each other.
 */
public final class Hkdf {
  /** Bytes of an extracted key and of a SHA-256 digest. */
  public static final int KEY_LENGTH = 32;

  /** Stands before every label. */
  public static final String PREFIX = "millrace1 ";

  private static final String ALGORITHM = "HKDF-SHA256";
  private static final int MAX_BYTE = 255;

  private Hkdf() {}

  /** Concentrates {@code inputKey} into {@value #KEY_LENGTH} bytes that are fit to be expanded. */
  public static byte[] extract(byte[] salt, byte[] inputKey) {
    try (ErasableKey input = new ErasableKey(inputKey, ALGORITHM)) {
      return KDF.getInstance(ALGORITHM)
          .deriveData(HKDFParameterSpec.ofExtract().addSalt(salt).addIKM(input).extractOnly());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no HKDF-SHA256", e);
    }
  }

  /** Derives {@code length} bytes from an extracted key for the purpose that {@code info} names. */
  public static byte[] expand(byte[] key, byte[] info, int length) {
    try (ErasableKey extracted = new ErasableKey(key, ALGORITHM)) {
      return KDF.getInstance(ALGORITHM)
          .deriveData(HKDFParameterSpec.expandOnly(extracted, info, length));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no HKDF-SHA256", e);
    }
  }

  /**
   * Derives {@code length} bytes from an extracted key for one label and context.
   *
   * @throws IllegalArgumentException if label or context is longer than its length byte can say
   */
  public static byte[] expandLabel(byte[] key, String label, byte[] context, int length) {
    byte[] name = (PREFIX + label).getBytes(StandardCharsets.US_ASCII);
    if (name.length > MAX_BYTE || context.length > MAX_BYTE) {
      throw new IllegalArgumentException("label and context are limited to 255 bytes each");
    }
    byte[] info = new byte[2 + 1 + name.length + 1 + context.length];
    info[0] = (byte) (length >>> Byte.SIZE);
    info[1] = (byte) length;
    info[2] = (byte) name.length;
    System.arraycopy(name, 0, info, 3, name.length);
    info[3 + name.length] = (byte) context.length;
    System.arraycopy(context, 0, info, 4 + name.length, context.length);
    return expand(key, info, length);
  }
}
