package io.millrace.samples.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of bytes and of files, in hexadecimal. */
public final class Sha256 {
  private static final int BLOCK_BYTES = 1 << 20;

  private Sha256() {}

  /** A digest of no bytes. */
  public static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns the digest of all bytes given so far, and begins again. */
  public static String end(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Returns the digest of a file.
   *
   * @throws IOException if the file cannot be read
   */
  public static String of(Path file) throws IOException {
    return of(file, Long.MAX_VALUE);
  }

  /**
   * Returns the digest of a file's first bytes.
   *
   * @throws IOException if the file cannot be read
   */
  public static String of(Path file, long mostBytes) throws IOException {
    MessageDigest digest = begin();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] block = new byte[BLOCK_BYTES];
      long left = mostBytes;
      int length = in.read(block);
      while (length > 0 && left > 0) {
        int taken = (int) Math.min(length, left);
        digest.update(block, 0, taken);
        left -= taken;
        length = in.read(block);
      }
    }
    return end(digest);
  }
}
