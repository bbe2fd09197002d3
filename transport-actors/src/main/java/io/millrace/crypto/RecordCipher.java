package io.millrace.crypto;

import java.util.Arrays;
import java.util.Objects;

/**
 * AES-GCM over records in heap arrays with one data key, for sealing or for opening. Holds the
 * key's schedule. Used by one thread at a time; whoever made it closes it.
 *
 * <p>That no nonce is used twice is kept by {@link RecordRange}, not here: what ranges of one key
 * hand out may come in any order.
 */
public abstract class RecordCipher implements AutoCloseable {
  private final CipherUse use;
  private boolean closed;

  /** A cipher for one use. */
  protected RecordCipher(CipherUse use) {
    this.use = use;
  }

  /**
   * Enciphers a record; its tag follows the ciphertext.
   *
   * @param out another array than {@code plain}, with room for {@code length} and the tag
   * @throws IllegalStateException if it opens, or is closed
   * @throws IndexOutOfBoundsException if something does not lie within its array
   */
  public final void seal(
      long nonce, byte[] plain, int offset, int length, byte[] out, int outOffset) {
    seal(nonce, plain, offset, length, length, out, outOffset);
  }

  /**
   * Enciphers the leading bytes of a record and authenticates all of it; the others stay as they
   * are, and the tag follows them.
   *
   * @param secretBytes how many are enciphered; 0 to {@code length}
   * @param out another array than {@code plain}, with room for {@code length} and the tag
   * @throws IllegalStateException if it opens, or is closed
   * @throws IndexOutOfBoundsException if something does not lie within its array
   */
  public final void seal(
      long nonce,
      byte[] plain,
      int offset,
      int length,
      int secretBytes,
      byte[] out,
      int outOffset) {
    require(CipherUse.SEAL);
    Objects.checkFromIndexSize(offset, length, plain.length);
    Objects.checkFromIndexSize(outOffset, sealedLength(length), out.length);
    Objects.checkFromIndexSize(0, secretBytes, length);
    requireApart(plain, out);
    sealRecord(nonce, plain, offset, length, secretBytes, out, outOffset);
  }

  /**
   * Checks the tag of a record and deciphers it.
   *
   * @param length bytes of ciphertext, which the tag follows
   * @param out another array than {@code sealed}
   * @return false if it is not what was sealed; that part of {@code out} then holds zeros
   * @throws IllegalStateException if it seals, or is closed
   * @throws IndexOutOfBoundsException if something does not lie within its array
   */
  public final boolean open(
      long nonce, byte[] sealed, int offset, int length, byte[] out, int outOffset) {
    return open(nonce, sealed, offset, length, length, out, outOffset);
  }

  /**
   * Checks the tag of a record and deciphers its leading bytes. What was not enciphered is copied
   * before it is checked, so that {@code out} holds what was checked even if somebody changes
   * {@code sealed} meanwhile.
   *
   * @param length bytes of the record, which the tag follows
   * @param secretBytes how many of them were enciphered; 0 to {@code length}
   * @param out another array than {@code sealed}
   * @return false if it is not what was sealed, or was sealed with another number of secret bytes;
   *     that part of {@code out} then holds zeros
   * @throws IllegalStateException if it seals, or is closed
   * @throws IndexOutOfBoundsException if something does not lie within its array
   */
  public final boolean open(
      long nonce,
      byte[] sealed,
      int offset,
      int length,
      int secretBytes,
      byte[] out,
      int outOffset) {
    require(CipherUse.OPEN);
    Objects.checkFromIndexSize(offset, sealedLength(length), sealed.length);
    Objects.checkFromIndexSize(outOffset, length, out.length);
    Objects.checkFromIndexSize(0, secretBytes, length);
    requireApart(sealed, out);
    if (openRecord(nonce, sealed, offset, length, secretBytes, out, outOffset)) {
      return true;
    }
    Arrays.fill(out, outOffset, outOffset + length, (byte) 0);
    return false;
  }

  /** Releases the key's schedule. Idempotent. */
  @Override
  public final void close() {
    if (!closed) {
      closed = true;
      release();
    }
  }

  /** As {@code seal}, all checked. */
  protected abstract void sealRecord(
      long nonce, byte[] plain, int offset, int length, int secretBytes, byte[] out, int outOffset);

  /** As {@code open}, all checked; what it leaves in {@code out} when false does not matter. */
  protected abstract boolean openRecord(
      long nonce,
      byte[] sealed,
      int offset,
      int length,
      int secretBytes,
      byte[] out,
      int outOffset);

  /** Releases what the subclass holds; called once. */
  protected abstract void release();

  private void require(CipherUse wanted) {
    if (closed || use != wanted) {
      throw new IllegalStateException(closed ? "the cipher is closed" : "the cipher is for " + use);
    }
  }

  private static int sealedLength(int length) {
    if (length < 0 || length > Records.RECORD_BYTES) {
      throw new IndexOutOfBoundsException(length + " bytes are not a record");
    }
    return length + Records.TAG_BYTES;
  }

  private static void requireApart(byte[] from, byte[] to) {
    if (from == to) {
      throw new IllegalArgumentException("a record is not sealed or opened in place");
    }
  }
}
