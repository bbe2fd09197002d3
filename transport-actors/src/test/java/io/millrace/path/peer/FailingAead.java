package io.millrace.path.peer;

import io.millrace.crypto.AeadAvailability;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.RecordCipher;
import io.millrace.memory.SegmentBuffer;

/** A fake of a provider whose ciphers throw from a chosen packet on. */
final class FailingAead implements AeadProvider {
  /** The number of packets sealed before the first failure. */
  int sealed = Integer.MAX_VALUE;

  @Override
  public String name() {
    return "failing";
  }

  @Override
  public int packetPreference() {
    return 0;
  }

  @Override
  public int recordPreference() {
    return 0;
  }

  @Override
  public AeadAvailability probe() {
    return new AeadAvailability.Unavailable("it is a fake");
  }

  @Override
  public PacketCipher cipher(AeadKey key, CipherUse use, KeyLimits limits) {
    return new Failing(key, use, limits);
  }

  @Override
  public RecordCipher recordCipher(byte[] key, CipherUse use) {
    throw new IllegalStateException("it is a fake for packets");
  }

  private final class Failing extends PacketCipher {
    Failing(AeadKey key, CipherUse use, KeyLimits limits) {
      super(key, use, limits);
    }

    @Override
    protected void sealInPlace(
        SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
      if (sealed-- <= 0) {
        throw new StackOverflowError("planted in a cipher");
      }
    }

    @Override
    protected boolean openInPlace(
        SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
      return true;
    }

    @Override
    protected void release() {}
  }
}
