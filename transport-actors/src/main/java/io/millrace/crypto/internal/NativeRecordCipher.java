package io.millrace.crypto.internal;

import io.millrace.crypto.CipherUse;
import io.millrace.crypto.RecordCipher;
import io.millrace.crypto.Records;
import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Records by a native library, copied through native memory of its own. Does not allocate per
 * record.
 */
final class NativeRecordCipher extends RecordCipher {
  private final NativePacketCipher cipher;
  private final UnsafeBuffer scratch;

  /** Takes over the cipher, whose nonces are the bare packet number. */
  NativeRecordCipher(NativePacketCipher cipher, CipherUse use) {
    super(use);
    this.cipher = cipher;
    this.scratch =
        new UnsafeBuffer(
            Arena.ofAuto()
                .allocate(Records.RECORD_BYTES + Records.TAG_BYTES, Long.BYTES)
                .asByteBuffer());
  }

  @Override
  protected void sealRecord(
      long nonce, byte[] plain, int offset, int length, byte[] out, int outOffset) {
    scratch.putBytes(0, plain, offset, length);
    try {
      cipher.sealInPlace(scratch, 0, 0, length, nonce);
    } finally {
      Reference.reachabilityFence(this);
    }
    scratch.getBytes(0, out, outOffset, length + Records.TAG_BYTES);
  }

  @Override
  protected boolean openRecord(
      long nonce, byte[] sealed, int offset, int length, byte[] out, int outOffset) {
    scratch.putBytes(0, sealed, offset, length + Records.TAG_BYTES);
    boolean right;
    try {
      right = cipher.openInPlace(scratch, 0, 0, length, nonce);
    } finally {
      Reference.reachabilityFence(this);
    }
    if (right) {
      scratch.getBytes(0, out, outOffset, length);
    }
    return right;
  }

  @Override
  protected void release() {
    scratch.setMemory(0, scratch.capacity(), (byte) 0);
    cipher.close();
  }
}
