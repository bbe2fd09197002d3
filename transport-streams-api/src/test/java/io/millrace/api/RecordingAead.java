package io.millrace.api;

import io.millrace.crypto.AeadAvailability;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.RecordCipher;
import io.millrace.memory.SegmentBuffer;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The usual ciphers of a node, with every seal written down. */
final class RecordingAead implements AeadProvider {
  private final AeadProvider real = AeadProviders.discover().select(0);
  private final SealLog log;

  RecordingAead(SealLog log) {
    this.log = log;
  }

  @Override
  public String name() {
    return real.name();
  }

  @Override
  public int packetPreference() {
    return real.packetPreference();
  }

  @Override
  public int recordPreference() {
    return real.recordPreference();
  }

  @Override
  public AeadAvailability probe() {
    return real.probe();
  }

  @Override
  public PacketCipher cipher(AeadKey key, CipherUse use, KeyLimits limits) {
    PacketCipher cipher = real.cipher(key, use, limits);
    return use == CipherUse.SEAL ? new RecordingCipher(log, key, limits, cipher) : cipher;
  }

  @Override
  public RecordCipher recordCipher(byte[] key, CipherUse use) {
    return real.recordCipher(key, use);
  }

  private static final class RecordingCipher extends PacketCipher {
    private final SealLog log;
    private final byte[] keyDigest;
    private final long firstNonceTail;
    private final PacketCipher real;

    RecordingCipher(SealLog log, AeadKey key, KeyLimits limits, PacketCipher real) {
      super(key, CipherUse.SEAL, limits);
      this.log = log;
      this.real = real;
      firstNonceTail = key.nonceTail();
      byte[] bytes = key.key();
      keyDigest = SealLog.digest(bytes);
      Arrays.fill(bytes, (byte) 0);
    }

    @Override
    protected void sealInPlace(
        SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
      byte[] nonce =
          ByteBuffer.allocate(AeadKey.IV_LENGTH).putInt(nonceHead()).putLong(nonceTail).array();
      log.add(SealLog.Kind.PACKET, keyDigest, nonce);
      real.seal(buffer, packetOffset, headerLength, bodyLength, nonceTail ^ firstNonceTail);
    }

    @Override
    protected boolean openInPlace(
        SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
      throw new IllegalStateException("this one seals");
    }

    @Override
    protected void release() {
      real.close();
    }
  }
}
