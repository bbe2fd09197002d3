package io.millrace.handshake.psk;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.Hkdf;
import io.millrace.crypto.HmacSha256;
import io.millrace.crypto.PathSecret;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The keys of an exchange. Before both adverts are known the schedule has only the keys that seal
 * the adverts; later keys are bound to every byte of Reply and Finish. Closing overwrites the
 * secret.
 */
final class PskSchedule {
  private static final int ADVERT_KEY_LENGTH = AesKeySize.AES_128.bytes() + AeadKey.IV_LENGTH;

  private final byte[] secret;
  private byte[] context;
  private boolean bound;

  /** Takes over both arrays. */
  PskSchedule(byte[] secret, byte[] context) {
    this.secret = secret;
    this.context = context;
  }

  /** Seals the advert in Reply, and nothing else. */
  AeadKey replyKey() {
    return new AeadKey(Hkdf.expandLabel(secret, "psk reply", unbound(), ADVERT_KEY_LENGTH));
  }

  /** Seals the advert in Finish, and nothing else. */
  AeadKey finishKey() {
    return new AeadKey(Hkdf.expandLabel(secret, "psk finish", unbound(), ADVERT_KEY_LENGTH));
  }

  /** Binds later keys to the two datagrams. Once. */
  void bind(byte[] reply, byte[] finish) {
    byte[] before = unbound();
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(reply);
      byte[] transcript = digest.digest(finish);
      context =
          ByteBuffer.allocate(before.length + transcript.length)
              .put(before)
              .put(transcript)
              .array();
      bound = true;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }

  /** Authenticates Done; the caller closes the MAC. */
  HmacSha256 doneMac() {
    return HmacSha256.ofDerived(Hkdf.expandLabel(secret, "psk done", bound(), Hkdf.KEY_LENGTH));
  }

  /** The path secret, the purpose of the exchange. */
  PathSecret pathSecret() {
    byte[] path = Hkdf.expandLabel(secret, "psk path", bound(), PathSecret.LENGTH);
    PathSecret made = new PathSecret(path);
    Arrays.fill(path, (byte) 0);
    return made;
  }

  private byte[] unbound() {
    if (bound) {
      throw new IllegalStateException("the adverts were exchanged already");
    }
    return context;
  }

  private byte[] bound() {
    if (!bound) {
      throw new IllegalStateException("the adverts were not exchanged yet");
    }
    return context;
  }

  /** Overwrites the secret. */
  void close() {
    Arrays.fill(secret, (byte) 0);
  }
}
