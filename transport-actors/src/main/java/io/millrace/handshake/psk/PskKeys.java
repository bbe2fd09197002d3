package io.millrace.handshake.psk;

import io.millrace.crypto.Hkdf;
import io.millrace.crypto.HmacSha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The keys that a node derives once from its pre-shared key. Not thread-safe. Closing overwrites
 * the keys.
 */
final class PskKeys implements AutoCloseable {
  private static final byte[] SALT = "millrace1 psk".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NO_CONTEXT = {};

  private final byte[] root;
  private final HmacSha256 initMac;
  private final HmacSha256 rejectMac;

  PskKeys(PreSharedKey key) {
    byte[] bytes = key.bytes();
    root = Hkdf.extract(SALT, bytes);
    Arrays.fill(bytes, (byte) 0);
    initMac = mac("psk init");
    rejectMac = mac("psk reject");
  }

  private HmacSha256 mac(String label) {
    return HmacSha256.ofDerived(Hkdf.expandLabel(root, label, NO_CONTEXT, Hkdf.KEY_LENGTH));
  }

  @Override
  public void close() {
    Arrays.fill(root, (byte) 0);
    initMac.close();
    rejectMac.close();
  }

  /** Authenticates Init. */
  HmacSha256 initMac() {
    return initMac;
  }

  /** Authenticates Reject. */
  HmacSha256 rejectMac() {
    return rejectMac;
  }

  /** The keys of an exchange. */
  PskSchedule schedule(
      int protocolVersion,
      long initiatorIncarnation,
      long responderIncarnation,
      Nonce initiatorNonce,
      Nonce responderNonce) {
    byte[] nonces =
        ByteBuffer.allocate(2 * Nonce.LENGTH)
            .put(initiatorNonce.bytes())
            .put(responderNonce.bytes())
            .array();
    byte[] context =
        ByteBuffer.allocate(Short.BYTES + 2 * Long.BYTES)
            .putShort((short) protocolVersion)
            .putLong(initiatorIncarnation)
            .putLong(responderIncarnation)
            .array();
    return new PskSchedule(Hkdf.extract(nonces, root), context);
  }
}
