package io.millrace.crypto;

import java.util.Arrays;
import java.util.Objects;

/**
 * AES-GCM over records in heap arrays with one data key, for sealing or for opening. Holds the
 * key's schedule. Used by a single thread at a time; the maker closes the cipher.
 *
 * <p>{@link RecordRange} keeps nonces from being used twice, not this class: nonces from several
 * ranges of a key may come in any order.
 */
public abstract class RecordCipher implements AutoCloseable {
  private final CipherUse use;
  private boolean closed;

  /** A cipher for a single use. */
  protected RecordCipher(CipherUse use) {
    this.use = use;
  }

  /**
   * Enciphers a record; the tag follows the ciphertext.
   *
   * @param out another array than {@code plain}, with room for {@code length} and the tag
   * @throws IllegalStateException if this cipher opens, or is closed
   * @throws IndexOutOfBoundsException if a range does not lie within its array
   */
  public final void seal(
      long nonce, byte[] plain, int offset, int length, byte[] out, int outOffset) {
    seal(nonce, plain, offset, length, length, out, outOffset);
  }

  /**
   * Enciphers the leading bytes of a record and authenticates the whole record; the other bytes
   * stay unchanged, and the tag follows the record.
   *
   * @param secretBytes how many are enciphered; 0 to {@code length}
   * @param out another array than {@code plain}, with room for {@code length} and the tag
   * @throws IllegalStateException if this cipher opens, or is closed
   * @throws IndexOutOfBoundsException if a range does not lie within its array
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
   * Checks the tag of a record and deciphers the record.
   *
   * @param length bytes of ciphertext, without the tag behind
   * @param out another array than {@code sealed}
   * @return false if the record differs from the sealed record; this part of {@code out} then holds
   *     zeros
   * @throws IllegalStateException if this cipher seals, or is closed
   * @throws IndexOutOfBoundsException if a range does not lie within its array
   */
  public final boolean open(
      long nonce, byte[] sealed, int offset, int length, byte[] out, int outOffset) {
    return open(nonce, sealed, offset, length, length, out, outOffset);
  }

  /**
   * Checks the tag of a record and deciphers its leading bytes. Unenciphered bytes are copied
   * before the check, so that {@code out} holds the checked bytes even if another thread changes
   * {@code sealed} meanwhile.
   *
   * @param length bytes of the record, without the tag behind
   * @param secretBytes the number of enciphered bytes; 0 to {@code length}
   * @param out another array than {@code sealed}
   * @return false if the record differs from the sealed record, or was sealed with another number
   *     of secret bytes; this part of {@code out} then holds zeros
   * @throws IllegalStateException if this cipher seals, or is closed
   * @throws IndexOutOfBoundsException if a range does not lie within its array
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

  /**
   * As {@code open}, with all arguments checked; after false the content of {@code out} does not
   * matter.
   */
  protected abstract boolean openRecord(
      long nonce,
      byte[] sealed,
      int offset,
      int length,
      int secretBytes,
      byte[] out,
      int outOffset);

  /** Releases the subclass's resources; called once. */
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
