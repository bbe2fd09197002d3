package io.millrace.handshake.quic;

import io.millrace.crypto.ErasableKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * The exporter of TLS 1.3 (RFC 8446, section 7.5) from the exporter secret of a connection, which
 * Netty's key log tells. Stateless, any thread, allocates.
 */
final class TlsExporter {
  private static final String LOG_LABEL = "EXPORTER_SECRET ";
  private static final int SHA_256_BYTES = 32;
  private static final int SHA_384_BYTES = 48;
  private static final int HEX = 16;

  private TlsExporter() {}

  /**
   * The exporter secret in a line of the key log, or null if the line says something else. Reads
   * the digits in place: no further text of a secret is made.
   */
  static byte @Nullable [] secretOf(String line) {
    if (!line.startsWith(LOG_LABEL)) {
      return null;
    }
    int start = line.indexOf(' ', LOG_LABEL.length()) + 1;
    int length = (line.length() - start) / 2;
    if (start == 0 || length != SHA_256_BYTES && length != SHA_384_BYTES) {
      return null;
    }
    byte[] secret = new byte[length];
    for (int i = 0; i < length; i++) {
      int high = Character.digit(line.charAt(start + 2 * i), HEX);
      int low = Character.digit(line.charAt(start + 2 * i + 1), HEX);
      if (high < 0 || low < 0) {
        Arrays.fill(secret, (byte) 0);
        return null;
      }
      secret[i] = (byte) (high * HEX + low);
    }
    return secret;
  }

  /** {@code length} bytes for a label and a context; the secret stays the caller's. */
  static byte[] export(byte[] secret, String label, byte[] context, int length) {
    boolean long384 = secret.length == SHA_384_BYTES;
    String hkdf = long384 ? "HKDF-SHA384" : "HKDF-SHA256";
    try {
      MessageDigest digest = MessageDigest.getInstance(long384 ? "SHA-384" : "SHA-256");
      byte[] derived = expandLabel(hkdf, secret, label, digest.digest(), secret.length);
      try {
        return expandLabel(hkdf, derived, "exporter", digest.digest(context), length);
      } finally {
        Arrays.fill(derived, (byte) 0);
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no " + hkdf, e);
    }
  }

  private static byte[] expandLabel(
      String hkdf, byte[] secret, String label, byte[] context, int length)
      throws GeneralSecurityException {
    byte[] name = ("tls13 " + label).getBytes(StandardCharsets.US_ASCII);
    byte[] info =
        ByteBuffer.allocate(Short.BYTES + 2 + name.length + context.length)
            .putShort((short) length)
            .put((byte) name.length)
            .put(name)
            .put((byte) context.length)
            .put(context)
            .array();
    try (ErasableKey key = new ErasableKey(secret, hkdf)) {
      return KDF.getInstance(hkdf).deriveData(HKDFParameterSpec.expandOnly(key, info, length));
    }
  }
}
