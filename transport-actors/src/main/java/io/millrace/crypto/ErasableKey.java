package io.millrace.crypto;

import java.util.Arrays;
import javax.crypto.SecretKey;

/**
 * A key for the JDK's ciphers, MACs and key derivation that can be overwritten, which {@link
 * javax.crypto.spec.SecretKeySpec} cannot. What the JDK makes of it is its own: that it overwrites
 * its copies is said of {@code SunJCE} by its sources, of others by theirs. Any thread.
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

  /** As many zeros: what is put into a cipher in place of a key that it is to forget. */
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

  /** A copy; whoever asks for it overwrites it. */
  @Override
  public byte[] getEncoded() {
    return bytes.clone();
  }

  /** Overwrites the key. Idempotent. */
  @Override
  public void close() {
    Arrays.fill(bytes, (byte) 0);
  }

  /** As {@link #close}. */
  @Override
  public void destroy() {
    close();
  }

  /** Whether there are only zeros left. */
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
