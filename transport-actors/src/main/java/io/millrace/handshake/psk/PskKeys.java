package io.millrace.handshake.psk;

import io.millrace.crypto.Hkdf;
import io.millrace.crypto.HmacSha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What a node derives once from its pre-shared key. Not thread-safe. */
final class PskKeys {
  private static final byte[] SALT = "millrace1 psk".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NO_CONTEXT = {};

  private final byte[] root;
  private final HmacSha256 initMac;
  private final HmacSha256 rejectMac;

  PskKeys(PreSharedKey key) {
    root = Hkdf.extract(SALT, key.bytes());
    initMac = new HmacSha256(Hkdf.expandLabel(root, "psk init", NO_CONTEXT, Hkdf.KEY_LENGTH));
    rejectMac = new HmacSha256(Hkdf.expandLabel(root, "psk reject", NO_CONTEXT, Hkdf.KEY_LENGTH));
  }

  /** Authenticates Init. */
  HmacSha256 initMac() {
    return initMac;
  }

  /** Authenticates Reject. */
  HmacSha256 rejectMac() {
    return rejectMac;
  }

  /** The keys of one exchange. */
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
