package io.millrace.crypto;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * AES-GCM for the only message of a key, as in handshakes; the nonce is the key's 12 bytes
 * unchanged. By the JDK's own cipher; stateless, any thread, allocates.
 */
public final class OneShotAead {
  /** The bytes that sealing adds. */
  public static final int OVERHEAD = PacketCipher.TAG_LENGTH;

  private OneShotAead() {}

  /**
   * The enciphered message, and the message's tag. The caller uses the key for no other message.
   */
  public static byte[] seal(AeadKey key, byte[] additionalData, byte[] message) {
    try (ErasableKey bytes = erasable(key)) {
      return cipher(Cipher.ENCRYPT_MODE, bytes, key.nonce(), additionalData).doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no AES-GCM", e);
    }
  }

  /** The message, or null if the message was not sealed with this key and additional data. */
  public static byte @Nullable [] open(AeadKey key, byte[] additionalData, byte[] sealed) {
    if (sealed.length < OVERHEAD) {
      return null;
    }
    try (ErasableKey bytes = erasable(key)) {
      return cipher(Cipher.DECRYPT_MODE, bytes, key.nonce(), additionalData).doFinal(sealed);
    } catch (AEADBadTagException e) {
      return null;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no AES-GCM", e);
    }
  }

  private static ErasableKey erasable(AeadKey key) {
    byte[] bytes = key.key();
    try {
      return new ErasableKey(bytes, "AES");
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  private static Cipher cipher(int mode, ErasableKey key, byte[] nonce, byte[] additionalData)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(OVERHEAD * Byte.SIZE, nonce));
    cipher.updateAAD(additionalData);
    return cipher;
  }
}
