package io.millrace.samples.sim;

import io.millrace.crypto.AeadAvailability;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.RecordCipher;
import io.millrace.crypto.Records;

/** The usual ciphers of a node, with a disturbance while a cipher opens a record. */
final class DisturbedAead implements AeadProvider {
  private final AeadProvider real = AeadProviders.discover().select(Records.RECORD_BYTES);
  private final Disturbance disturbance;

  /** Runs right before a record is opened, and right after. */
  @FunctionalInterface
  interface Disturbance {
    void disturb(byte[] sealed, int offset, int length);
  }

  DisturbedAead(Disturbance disturbance) {
    this.disturbance = disturbance;
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
    return real.cipher(key, use, limits);
  }

  @Override
  public RecordCipher recordCipher(byte[] key, CipherUse use) {
    return new DisturbedRecords(real.recordCipher(key, use), use);
  }

  private final class DisturbedRecords extends RecordCipher {
    private final RecordCipher cipher;

    DisturbedRecords(RecordCipher cipher, CipherUse use) {
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
      cipher.seal(nonce, plain, offset, length, secretBytes, out, outOffset);
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
      disturbance.disturb(sealed, offset, length);
      boolean isRight = cipher.open(nonce, sealed, offset, length, secretBytes, out, outOffset);
      disturbance.disturb(sealed, offset, length);
      return isRight;
    }

    @Override
    protected void release() {
      cipher.close();
    }
  }
}
