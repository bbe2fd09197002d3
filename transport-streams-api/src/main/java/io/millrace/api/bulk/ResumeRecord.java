package io.millrace.api.bulk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The record of a part file's content, kept in a small text file beside the part file. An
 * unreadable record counts as no record.
 *
 * @param lengthBytes verified bytes from the start
 * @param identity the source's identity, in hexadecimal digits
 */
record ResumeRecord(long lengthBytes, String identity) {
  private static final String FORMAT = "millrace-resume 1";
  private static final int MOST_BYTES = 4096;
  private static final int LINES = 4;

  static ResumeRecord of(long lengthBytes, byte[] identity) {
    return new ResumeRecord(lengthBytes, HexFormat.of().formatHex(identity));
  }

  /**
   * Reads the record of {@link #write}; the method never writes a link, so the read does not follow
   * a link.
   */
  static @Nullable ResumeRecord read(Path file) throws IOException {
    if (Files.isSymbolicLink(file)) {
      return null;
    }
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      return bytes.length > MOST_BYTES ? null : parse(bytes);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static @Nullable ResumeRecord parse(byte[] bytes) {
    List<String> lines = new String(bytes, StandardCharsets.ISO_8859_1).lines().toList();
    if (lines.size() != LINES || !lines.get(0).equals(FORMAT)) {
      return null;
    }
    try {
      ResumeRecord parsed = new ResumeRecord(Long.parseLong(lines.get(1)), lines.get(2));
      return parsed.lengthBytes >= 0 && Arrays.equals(parsed.bytes(), bytes) ? parsed : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /**
   * Replaces the file atomically, so no reader sees a torn record; {@code spare} is written first.
   * An existing file named {@code spare}, perhaps a link to another file, is deleted and not
   * written.
   */
  void write(Path file, Path spare) throws IOException {
    Files.deleteIfExists(spare);
    try (FileChannel channel =
        FileMode.openOwned(spare, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(bytes());
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(spare, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private byte[] bytes() {
    String checked = FORMAT + "\n" + lengthBytes + "\n" + identity + "\n";
    CRC32C crc = new CRC32C();
    crc.update(checked.getBytes(StandardCharsets.ISO_8859_1));
    String text = checked + HexFormat.of().toHexDigits((int) crc.getValue()) + "\n";
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
