package io.millrace.crypto.internal;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The common part of the native ciphers: a scrap of native memory with the nonce and the length
 * that calls write back, and the address of a packet. The scrap is freed by the collector, because
 * the ciphers of rotated keys come and go while the worker runs and closing an arena stops every
 * thread.
 */
abstract class NativePacketCipher extends PacketCipher {
  static final int NONCE_LENGTH = AeadKey.IV_LENGTH;
  private static final int WRITTEN_OFFSET = 16;
  private static final int SCRAP_LENGTH = 24;
  private static final ValueLayout.OfInt HEAD = ValueLayout.JAVA_INT.withOrder(BIG_ENDIAN);
  private static final ValueLayout.OfLong TAIL =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);

  private final MemorySegment scrap;
  private final long nonceAddress;

  NativePacketCipher(AeadKey key, CipherUse use, KeyLimits limits) {
    super(key, use, limits);
    scrap = Arena.ofAuto().allocate(SCRAP_LENGTH, Long.BYTES);
    scrap.set(HEAD, 0, nonceHead());
    nonceAddress = scrap.address();
  }

  /** Where the nonce of the packet in hand lies, {@link AeadKey#IV_LENGTH} bytes. */
  final long nonceAddress() {
    return nonceAddress;
  }

  /** The place for the number of bytes that a call wrote. */
  final long writtenAddress() {
    return nonceAddress + WRITTEN_OFFSET;
  }

  /** Completes the nonce. */
  final void nonce(long nonceTail) {
    scrap.set(TAIL, Integer.BYTES, nonceTail);
  }

  /** Where a byte of the packet lies in native memory. */
  static long address(SegmentBuffer buffer, int offset) {
    if (buffer.byteArray() != null) {
      throw new IllegalArgumentException("a native cipher works on native memory only");
    }
    return buffer.addressOffset() + offset;
  }

  // Declared again, so that records can be enciphered by the same calls.
  @Override
  protected abstract void sealInPlace(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail);

  @Override
  protected abstract boolean openInPlace(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail);

  @Override
  protected final void release() {
    scrap.asSlice(0, NONCE_LENGTH).fill((byte) 0);
    releaseKey();
  }

  /** Overwrites and frees the key's schedule. */
  abstract void releaseKey();
}
