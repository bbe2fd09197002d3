package io.millrace.crypto.internal;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * AES-GCM by five calls of OpenSSL per packet. The key is scheduled once; a packet only sets its
 * nonce. Does not allocate per packet.
 */
final class OpensslPacketCipher extends NativePacketCipher {
  private final OpensslCalls calls;
  private final long context;

  OpensslPacketCipher(OpensslCalls calls, AeadKey key, CipherUse use, KeyLimits limits) {
    super(key, use, limits);
    this.calls = calls;
    this.context = calls.newContext();
    if (context == 0) {
      throw new IllegalStateException("libcrypto has no memory for a cipher");
    }
    if (!hasScheduled(key, use)) {
      calls.freeContext(context);
      throw new IllegalStateException("libcrypto refused a key of " + key.size());
    }
  }

  private boolean hasScheduled(AeadKey key, CipherUse use) {
    byte[] bytes = key.key();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      int direction = use == CipherUse.SEAL ? 1 : 0;
      boolean done = calls.init(context, calls.algorithm(key.size()), copy.address(), 0, direction);
      copy.fill((byte) 0);
      return done;
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  @Override
  protected void sealInPlace(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
    long header = address(buffer, packetOffset);
    long tag = header + headerLength + bodyLength;
    boolean done =
        hasFed(header, headerLength, bodyLength, nonceTail)
            && calls.finish(context, tag, writtenAddress())
            && calls.control(context, OpensslCalls.GET_TAG, TAG_LENGTH, tag);
    if (!done) {
      throw new IllegalStateException("libcrypto refused to seal a packet");
    }
  }

  @Override
  protected boolean openInPlace(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
    long header = address(buffer, packetOffset);
    long tag = header + headerLength + bodyLength;
    return hasFed(header, headerLength, bodyLength, nonceTail)
        && calls.control(context, OpensslCalls.SET_TAG, TAG_LENGTH, tag)
        && calls.finish(context, tag, writtenAddress());
  }

  private boolean hasFed(long header, int headerLength, int bodyLength, long nonceTail) {
    nonce(nonceTail);
    long body = header + headerLength;
    return calls.init(context, 0, 0, nonceAddress(), OpensslCalls.SAME_DIRECTION)
        && (headerLength == 0 || calls.update(context, 0, writtenAddress(), header, headerLength))
        && (bodyLength == 0 || calls.update(context, body, writtenAddress(), body, bodyLength));
  }

  @Override
  void releaseKey() {
    calls.freeContext(context);
  }
}
