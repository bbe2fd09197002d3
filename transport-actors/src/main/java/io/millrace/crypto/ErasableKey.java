package io.millrace.crypto;

import java.util.Arrays;
import javax.crypto.SecretKey;

/**
 * A key for the JDK's ciphers, MACs and key derivation that can be overwritten, which {@link
 * javax.crypto.spec.SecretKeySpec} cannot. The JDK's copies of the key are the JDK's own: the
 * sources of {@code SunJCE} say that it overwrites its copies, the sources of other providers say
 * so for theirs. Any thread.
 */
public final class ErasableKey implements SecretKey, AutoCloseable {
  @java.io.Serial private static final long serialVersionUID = 1;

  private final String algorithm;
  private final transient byte[] bytes;

  /** Copies the bytes. */
  public ErasableKey(byte[] bytes, String algorithm) {
    this.bytes = bytes.clone();
    this.algorithm = algorithm;
  }

  /** As many zeros: a cipher that is to forget a key gets these zeros instead of the key. */
  public ErasableKey zeros() {
    return new ErasableKey(new byte[bytes.length], algorithm);
  }

  @Override
  public String getAlgorithm() {
    return algorithm;
  }

  @Override
  public String getFormat() {
    return "RAW";
  }

  /** A copy; the caller overwrites the copy. */
  @Override
  public byte[] getEncoded() {
    return bytes.clone();
  }

  /** Overwrites the key. Idempotent. */
  @Override
  public void close() {
    Arrays.fill(bytes, (byte) 0);
  }

  /** The same as {@link #close}. */
  @Override
  public void destroy() {
    close();
  }

  /** Whether only zeros are left. */
  @Override
  public boolean isDestroyed() {
    int any = 0;
    for (byte each : bytes) {
      any |= each;
    }
    return any == 0;
  }

  @java.io.Serial
  private void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException {
    throw new java.io.NotSerializableException("a key is not written down");
  }

  /** Never a byte of the key. */
  @Override
  public String toString() {
    return "ErasableKey[" + algorithm + ", redacted]";
  }
}
