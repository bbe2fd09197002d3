package io.millrace.samples.store;

import io.millrace.samples.file.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The expected bytes of an artifact: its length and the SHA-256 of each chunk. The SHA-256 of the
 * manifest is the artifact's content id. So a reader that trusts the id needs no other trust: a
 * manifest proves itself, and each chunk is checked on arrival.
 *
 * @param sizeBytes the size of the artifact
 * @param chunkBytes the size of each chunk but the last
 * @param digests a digest for each chunk, 64 hexadecimal digits
 * @param id the content id, 64 hexadecimal digits; always the hash of the other fields
 */
public record Manifest(long sizeBytes, int chunkBytes, List<String> digests, String id) {
  /** The default size of chunks. */
  public static final int USUAL_CHUNK_BYTES = 4 << 20;

  /** More chunks would not fit into a message. */
  static final int MOST_CHUNKS = 1 << 13;

  private static final Pattern ID = Pattern.compile("[0-9a-f]{64}");

  /**
   * Checks that the digests fit the length, and the id the rest.
   *
   * @throws IllegalArgumentException if the digests or the id do not fit
   */
  public Manifest {
    digests = List.copyOf(digests);
    if (sizeBytes < 0 || chunkBytes < 1) {
      throw new IllegalArgumentException(
          "no artifact has " + sizeBytes + " bytes in chunks of " + chunkBytes);
    }
    long chunks = chunks(sizeBytes, chunkBytes);
    if (chunks > MOST_CHUNKS || chunks != digests.size()) {
      throw new IllegalArgumentException(
          digests.size()
              + " digests for "
              + chunks
              + " chunks, of which "
              + MOST_CHUNKS
              + " are allowed");
    }
    if (!hash(sizeBytes, chunkBytes, digests).equals(id)) {
      throw new IllegalArgumentException("the manifest does not match the id " + id);
    }
  }

  /** Returns the manifest of an artifact with these digests; computes its id. */
  static Manifest of(long sizeBytes, int chunkBytes, List<String> digests) {
    return new Manifest(sizeBytes, chunkBytes, digests, hash(sizeBytes, chunkBytes, digests));
  }

  private static String hash(long sizeBytes, int chunkBytes, List<String> digests) {
    MessageDigest digest = Sha256.begin();
    digest.update(ByteBuffer.allocate(12).putLong(sizeBytes).putInt(chunkBytes).flip());
    digests.forEach(chunk -> digest.update(HexFormat.of().parseHex(chunk)));
    return Sha256.end(digest);
  }

  /** Returns whether a text can be a content id. */
  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  private static long chunks(long sizeBytes, int chunkBytes) {
    return sizeBytes / chunkBytes + (sizeBytes % chunkBytes == 0 ? 0 : 1);
  }

  /** Returns the end of the chunk with this byte. */
  long chunkEnd(long offset) {
    return Math.min(sizeBytes, (offset / chunkBytes + 1) * chunkBytes);
  }

  /** Makes a manifest of bytes added in order. One thread at a time. */
  static final class Builder {
    private final int chunkBytes;
    private final MessageDigest digest = Sha256.begin();
    private final List<String> digests = new ArrayList<>();
    private long sizeBytes;

    Builder(int chunkBytes) {
      this.chunkBytes = chunkBytes;
    }

    void add(byte[] bytes, int offset, int length) {
      int at = offset;
      int left = length;
      while (left > 0) {
        int taken = (int) Math.min(left, chunkBytes - sizeBytes % chunkBytes);
        digest.update(bytes, at, taken);
        at += taken;
        left -= taken;
        sizeBytes += taken;
        if (sizeBytes % chunkBytes == 0) {
          digests.add(Sha256.end(digest));
        }
      }
    }

    long sizeBytes() {
      return sizeBytes;
    }

    Manifest build() {
      if (sizeBytes % chunkBytes != 0) {
        digests.add(Sha256.end(digest));
      }
      return Manifest.of(sizeBytes, chunkBytes, digests);
    }
  }
}
