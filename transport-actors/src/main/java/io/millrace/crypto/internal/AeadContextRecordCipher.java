package io.millrace.crypto.internal;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.RecordCipher;
import io.millrace.crypto.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/**
 * Records by a single call of BoringSSL or AWS-LC, which reads and writes the arrays in place: only
 * bytes that are authenticated without enciphering are copied. A record holds up a safepoint for
 * the time of the call, some 20 microseconds at most. Does not allocate per record.
 */
final class AeadContextRecordCipher extends RecordCipher {
  private static final int WRITTEN_OFFSET = 16;
  private static final int SCRAP_LENGTH = 24;
  private static final ValueLayout.OfLong TAIL =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);

  private final AeadContextCalls calls;
  private final long context;

  // The nonce, whose first bytes stay zero, and the values that calls write back; the collector
  // frees this memory.
  private final MemorySegment scrap = Arena.ofAuto().allocate(SCRAP_LENGTH, Long.BYTES);

  /**
   * A cipher of a single key.
   *
   * @param key of 16 or 32 bytes, overwritten
   */
  AeadContextRecordCipher(AeadContextCalls calls, byte[] key, CipherUse use) {
    super(use);
    this.calls = calls;
    context = calls.newContext(AesKeySize.ofBytes(key.length), key);
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
    if (clearBytes > 0) {
      System.arraycopy(plain, offset + secretBytes, out, outOffset + secretBytes, clearBytes);
    }
    nonce(nonce);
    try {
      boolean done =
          calls.sealRecord(
              context,
              MemorySegment.ofArray(plain).asSlice(offset, length),
              MemorySegment.ofArray(out).asSlice(outOffset, length + Records.TAG_BYTES),
              secretBytes,
              scrap.address(),
              scrap.address() + WRITTEN_OFFSET);
      if (!done) {
        throw new IllegalStateException("the library refused to seal a record");
      }
    } finally {
      // Native code works on addresses, which do not keep the cipher's memory alive.
      Reference.reachabilityFence(this);
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
    if (clearBytes > 0) {
      System.arraycopy(sealed, offset + secretBytes, out, outOffset + secretBytes, clearBytes);
    }
    nonce(nonce);
    try {
      return calls.openRecord(
          context,
          MemorySegment.ofArray(sealed).asSlice(offset, length + Records.TAG_BYTES),
          MemorySegment.ofArray(out).asSlice(outOffset, length),
          secretBytes,
          scrap.address());
    } finally {
      // Native code works on addresses, which do not keep the cipher's memory alive.
      Reference.reachabilityFence(this);
    }
  }

  private void nonce(long nonce) {
    scrap.set(TAIL, AeadKey.IV_LENGTH - Long.BYTES, nonce);
  }

  @Override
  protected void release() {
    calls.freeContext(context);
  }
}
