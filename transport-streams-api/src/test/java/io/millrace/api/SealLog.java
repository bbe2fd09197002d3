package io.millrace.api;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The seals of one life of a node, in a file. The log writes each seal down before the sealing, by
 * one appending system call, so no death of the process loses a seal. Keys are written as digests.
 * Safe on any thread.
 */
final class SealLog {
  private static final int DIGEST_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int RECORD_BYTES = Integer.BYTES + DIGEST_BYTES + NONCE_BYTES;

  private final FileOutputStream file;

  /** The kinds of sealed data. */
  enum Kind {
    PACKET,
    HANDSHAKE
  }

  /** One seal; key (its digest) and nonce in hexadecimal. */
  record Seal(Kind kind, String key, String nonce) {}

  SealLog(Path path) throws IOException {
    file = new FileOutputStream(path.toFile(), true);
  }

  /** Writes down a seal just before the sealing. */
  void add(Kind kind, byte[] keyDigest, byte[] nonce) {
    byte[] seal =
        ByteBuffer.allocate(RECORD_BYTES).putInt(kind.ordinal()).put(keyDigest).put(nonce).array();
    try {
      file.write(seal);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the digest that represents a key. */
  static byte[] digest(byte[] key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns all seals in a file, in order. */
  static List<Seal> read(Path path) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
    List<Seal> seals = new ArrayList<>();
    while (bytes.remaining() >= RECORD_BYTES) {
      Kind kind = Kind.values()[bytes.getInt()];
      seals.add(new Seal(kind, hex(bytes, DIGEST_BYTES), hex(bytes, NONCE_BYTES)));
    }
    return seals;
  }

  private static String hex(ByteBuffer bytes, int length) {
    byte[] part = new byte[length];
    bytes.get(part);
    return HexFormat.of().formatHex(part);
  }
}
