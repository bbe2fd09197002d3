package io.millrace.crypto.internal;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.ErasableKey;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.memory.SegmentBuffer;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * AES-GCM by the JDK's security interface on heap arrays, because direct buffers make SunJCE
 * several times slower; packets are copied in and out. Allocates with every packet.
 */
final class JcaPacketCipher extends PacketCipher {
  private static final int TAG_BITS = TAG_LENGTH * Byte.SIZE;
  private static final int INITIAL_ROOM = 2048;

  private final Cipher cipher;
  private final ErasableKey schedule;
  private final byte[] nonce = new byte[AeadKey.IV_LENGTH];
  private byte[] header = new byte[Long.BYTES];
  private byte[] text = new byte[INITIAL_ROOM];

  JcaPacketCipher(Provider provider, AeadKey key, CipherUse use, KeyLimits limits) {
    super(key, use, limits);
    for (int i = 0; i < Integer.BYTES; i++) {
      nonce[i] = (byte) (nonceHead() >>> (Integer.BYTES - 1 - i) * Byte.SIZE);
    }
    byte[] bytes = key.key();
    schedule = new ErasableKey(bytes, "AES");
    Arrays.fill(bytes, (byte) 0);
    try {
      cipher = Cipher.getInstance("AES/GCM/NoPadding", provider);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(provider.getName() + " has no AES-GCM", e);
    }
  }

  @Override
  protected void sealInPlace(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
    int bodyOffset = packetOffset + headerLength;
    try {
      prepare(Cipher.ENCRYPT_MODE, buffer, packetOffset, headerLength, nonceTail);
      reserve(bodyLength + TAG_LENGTH);
      buffer.getBytes(bodyOffset, text, 0, bodyLength);
      cipher.doFinal(text, 0, bodyLength, text, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK refused to seal a packet", e);
    }
    buffer.putBytes(bodyOffset, text, 0, bodyLength + TAG_LENGTH);
  }

  @Override
  protected boolean openInPlace(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
    int bodyOffset = packetOffset + headerLength;
    try {
      prepare(Cipher.DECRYPT_MODE, buffer, packetOffset, headerLength, nonceTail);
      reserve(bodyLength + TAG_LENGTH);
      buffer.getBytes(bodyOffset, text, 0, bodyLength + TAG_LENGTH);
      cipher.doFinal(text, 0, bodyLength + TAG_LENGTH, text, 0);
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK refused to open a packet", e);
    }
    buffer.putBytes(bodyOffset, text, 0, bodyLength);
    return true;
  }

  private void prepare(
      int mode, SegmentBuffer buffer, int packetOffset, int headerLength, long nonceTail)
      throws GeneralSecurityException {
    for (int i = 0; i < Long.BYTES; i++) {
      nonce[Integer.BYTES + i] = (byte) (nonceTail >>> (Long.BYTES - 1 - i) * Byte.SIZE);
    }
    cipher.init(mode, schedule, new GCMParameterSpec(TAG_BITS, nonce));
    if (headerLength > 0) {
      if (header.length < headerLength) {
        header = new byte[headerLength];
      }
      buffer.getBytes(packetOffset, header, 0, headerLength);
      cipher.updateAAD(header, 0, headerLength);
    }
  }

  private void reserve(int length) {
    if (text.length < length) {
      Arrays.fill(text, (byte) 0);
      text = new byte[length];
    }
  }

  @Override
  protected void release() {
    JcaKeys.forget(cipher, schedule);
    Arrays.fill(text, (byte) 0);
    Arrays.fill(nonce, (byte) 0);
  }
}
