package io.millrace.crypto;

/** A forwarding provider, for tests that put a step between the real provider and the caller. */
public class ForwardingAead implements AeadProvider {
  private final AeadProvider real;

  /** Forwards to {@code real}. */
  protected ForwardingAead(AeadProvider real) {
    this.real = real;
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
    return real.recordCipher(key, use);
  }

  /** Another cipher of records. */
  protected static class ForwardingRecords extends RecordCipher {
    private final RecordCipher real;

    /** Forwards to {@code real}; closing closes {@code real}, too. */
    protected ForwardingRecords(RecordCipher real, CipherUse use) {
      super(use);
      this.real = real;
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
      real.seal(nonce, plain, offset, length, secretBytes, out, outOffset);
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
      return real.open(nonce, sealed, offset, length, secretBytes, out, outOffset);
    }

    @Override
    protected void release() {
      real.close();
    }
  }
}
