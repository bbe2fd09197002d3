package io.millrace.crypto.internal;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.memory.SegmentBuffer;

/** AES-GCM by one call of BoringSSL or AWS-LC per packet. Does not allocate per packet. */
final class AeadContextPacketCipher extends NativePacketCipher {
  private final AeadContextCalls calls;
  private final long context;

  AeadContextPacketCipher(AeadContextCalls calls, AeadKey key, CipherUse use, KeyLimits limits) {
    super(key, use, limits);
    this.calls = calls;
    context = calls.newContext(key.size(), key.key());
  }

  @Override
  protected void sealInPlace(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
    nonce(nonceTail);
    boolean done =
        calls.seal(
            context,
            writtenAddress(),
            address(buffer, packetOffset),
            headerLength,
            bodyLength,
            nonceAddress());
    if (!done) {
      throw new IllegalStateException("the library refused to seal a packet");
    }
  }

  @Override
  protected boolean openInPlace(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
    nonce(nonceTail);
    return calls.open(
        context,
        writtenAddress(),
        address(buffer, packetOffset),
        headerLength,
        bodyLength,
        nonceAddress());
  }

  @Override
  void releaseKey() {
    calls.freeContext(context);
  }
}
