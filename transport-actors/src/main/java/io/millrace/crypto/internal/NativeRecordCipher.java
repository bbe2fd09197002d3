package io.millrace.crypto.internal;

import io.millrace.crypto.CipherUse;
import io.millrace.crypto.RecordCipher;
import io.millrace.crypto.Records;
import io.millrace.memory.SegmentBuffer;
import io.millrace.queue.ManyToManyQueue;
import java.lang.foreign.Arena;
import java.lang.ref.Reference;

/**
 * Records by a native library, copied through native memory, which the ciphers of all threads take
 * turns in, because there are many keys and few threads. Does not allocate per record.
 */
final class NativeRecordCipher extends RecordCipher {
  private static final int SCRATCHES = 64;
  private static final ManyToManyQueue<SegmentBuffer> SCRATCH = new ManyToManyQueue<>(SCRATCHES);

  private final NativePacketCipher cipher;

  /** Takes over the cipher, whose nonces are the bare packet number. */
  NativeRecordCipher(NativePacketCipher cipher, CipherUse use) {
    super(use);
    this.cipher = cipher;
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
    SegmentBuffer scratch = acquire();
    int clearBytes = length - secretBytes;
    try {
      // In the order of a packet: additional data, enciphered bytes, the tag.
      scratch.putBytes(0, plain, offset + secretBytes, clearBytes);
      scratch.putBytes(clearBytes, plain, offset, secretBytes);
      cipher.sealInPlace(scratch, 0, clearBytes, secretBytes, nonce);
      scratch.getBytes(clearBytes, out, outOffset, secretBytes);
      scratch.getBytes(0, out, outOffset + secretBytes, clearBytes);
      scratch.getBytes(length, out, outOffset + length, Records.TAG_BYTES);
    } finally {
      // Native code works on addresses, which do not keep the cipher's memory alive.
      Reference.reachabilityFence(this);
      SCRATCH.offer(scratch);
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
    SegmentBuffer scratch = acquire();
    int clearBytes = length - secretBytes;
    try {
      scratch.putBytes(0, sealed, offset + secretBytes, clearBytes);
      scratch.putBytes(clearBytes, sealed, offset, secretBytes);
      scratch.putBytes(length, sealed, offset + length, Records.TAG_BYTES);
      if (!cipher.openInPlace(scratch, 0, clearBytes, secretBytes, nonce)) {
        return false;
      }
      scratch.getBytes(clearBytes, out, outOffset, secretBytes);
      scratch.getBytes(0, out, outOffset + secretBytes, clearBytes);
      return true;
    } finally {
      // Native code works on addresses, which do not keep the cipher's memory alive.
      Reference.reachabilityFence(this);
      SCRATCH.offer(scratch);
    }
  }

  @Override
  protected void release() {
    cipher.close();
  }

  private static SegmentBuffer acquire() {
    SegmentBuffer scratch = SCRATCH.poll();
    return scratch == null
        ? new SegmentBuffer(
            Arena.ofAuto()
                .allocate(Records.RECORD_BYTES + Records.TAG_BYTES, Long.BYTES)
                .asByteBuffer())
        : scratch;
  }
}
