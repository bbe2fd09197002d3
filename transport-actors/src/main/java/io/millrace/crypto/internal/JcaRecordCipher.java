package io.millrace.crypto.internal;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.ErasableKey;
import io.millrace.crypto.RecordCipher;
import io.millrace.crypto.Records;
import java.security.GeneralSecurityException;
import java.security.Provider;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Records by the JDK's security interface. Always the same cipher with the same key object, which
 * keeps the schedule. Each record makes garbage, because a nonce can only be given in an object,
 * and the JDK collects additional data before working on the data.
 */
final class JcaRecordCipher extends RecordCipher {
  private static final int TAG_BITS = Records.TAG_BYTES * Byte.SIZE;

  private final Cipher cipher;
  private final ErasableKey schedule;
  private final byte[] iv = new byte[AeadKey.IV_LENGTH];

  JcaRecordCipher(Provider provider, byte[] key, CipherUse use) {
    super(use);
    schedule = new ErasableKey(key, "AES");
    try {
      cipher = Cipher.getInstance("AES/GCM/NoPadding", provider);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(provider.getName() + " has no AES-GCM", e);
    }
  }

  @Override
  protected void sealRecord(
      long nonce,
      byte[] plain,
      int offset,
      int length,
      int secretBytes,
      byte[] out,
      int outOffset) {
    int clearBytes = length - secretBytes;
    try {
      prepare(Cipher.ENCRYPT_MODE, nonce);
      if (clearBytes > 0) {
        cipher.updateAAD(plain, offset + secretBytes, clearBytes);
      }
      cipher.doFinal(plain, offset, secretBytes, out, outOffset);
      if (clearBytes > 0) {
        int clearAt = outOffset + secretBytes;
        System.arraycopy(out, clearAt, out, outOffset + length, Records.TAG_BYTES);
        System.arraycopy(plain, offset + secretBytes, out, clearAt, clearBytes);
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK refused to seal a record", e);
    }
  }

  @Override
  protected boolean openRecord(
      long nonce,
      byte[] sealed,
      int offset,
      int length,
      int secretBytes,
      byte[] out,
      int outOffset) {
    int clearBytes = length - secretBytes;
    try {
      prepare(Cipher.DECRYPT_MODE, nonce);
      if (clearBytes == 0) {
        cipher.doFinal(sealed, offset, length + Records.TAG_BYTES, out, outOffset);
        return true;
      }
      int clearAt = outOffset + secretBytes;
      System.arraycopy(sealed, offset + secretBytes, out, clearAt, clearBytes);
      cipher.updateAAD(out, clearAt, clearBytes);
      int done = secretBytes == 0 ? 0 : cipher.update(sealed, offset, secretBytes, out, outOffset);
      cipher.doFinal(sealed, offset + length, Records.TAG_BYTES, out, outOffset + done);
      return true;
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK refused to open a record", e);
    }
  }

  private void prepare(int mode, long nonce) throws GeneralSecurityException {
    for (int i = 0; i < Long.BYTES; i++) {
      iv[Integer.BYTES + i] = (byte) (nonce >>> (Long.BYTES - 1 - i) * Byte.SIZE);
    }
    cipher.init(mode, schedule, new GCMParameterSpec(TAG_BITS, iv));
  }

  @Override
  protected void release() {
    JcaKeys.forget(cipher, schedule);
  }
}
