package io.millrace.samples.log.disk;

import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The format of a log file: a header, then frames of a magic number, a length, a checksum and so
 * many bytes. A frame holds the records that were forced at once, and the next frame is written
 * only after the force. So a wrong frame at the end of the file was never acknowledged: the frame
 * is torn. A wrong frame with a right frame behind was acknowledged: the file is corrupt.
 *
 * <p>The bytes behind a wrong frame may come from a client, and look like a frame. So the header
 * has a random number. The checksum (CRC32C) covers this number, the place of the frame in its
 * file, its length and its bytes. A copy of a frame is right at no other place, and nobody without
 * knowledge of the file can make a right frame.
 */
public final class Frames {
  /** Bytes before the first frame. */
  public static final int FILE_HEADER_BYTES = 16;

  private static final int FILE_MAGIC = 0x4d4c4732;
  private static final int MAGIC = 0x4d4c4652;
  private static final int EARLIER_MAGIC = 0x4d4c4f47;
  private static final int HEADER_BYTES = 12;
  private static final int LEAST_RECORD_BYTES = 24;

  /**
   * The content of a file.
   *
   * @param records of all right frames, in order
   * @param bytes of the file that are right; later bytes are torn; 0 if the header is torn
   * @param salt of the file; 0 if the header is torn
   */
  public record Content(List<JournalRecord> records, int bytes, long salt) {}

  private Frames() {}

  /**
   * Returns the header of a file; the header is forced before a frame is written.
   *
   * @param salt a number that nobody can guess
   */
  public static ByteBuffer header(long salt) {
    ByteBuffer header = ByteBuffer.allocate(FILE_HEADER_BYTES).putInt(FILE_MAGIC).putLong(salt);
    return header.putInt(headerCrc(header)).flip();
  }

  private static int headerCrc(ByteBuffer file) {
    CRC32C crc = new CRC32C();
    crc.update(file.duplicate().position(0).limit(FILE_HEADER_BYTES - Integer.BYTES));
    return (int) crc.getValue();
  }

  /**
   * Returns the frame of records that are forced at once.
   *
   * @param salt of the file
   * @param position where the frame begins in the file, bytes
   */
  public static ByteBuffer encode(List<JournalRecord> records, long salt, long position) {
    FieldWriter out = new FieldWriter().small(records.size());
    records.forEach(entry -> entry.write(out));
    return frame(out.toBytes(), salt, position);
  }

  static ByteBuffer frame(ByteString body, long salt, long position) {
    byte[] bytes = body.toArrayUnsafe();
    ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + bytes.length);
    frame.putInt(MAGIC).putInt(bytes.length).putInt(crc(bytes, salt, position));
    return frame.put(bytes).flip();
  }

  /**
   * Reads a whole file.
   *
   * @param name of the file, for people
   * @throws CorruptJournalException if an acknowledged frame is damaged
   */
  public static Content read(String name, ByteBuffer file) throws CorruptJournalException {
    requireVersion(name, file);
    if (!hasHeader(file)) {
      if (file.limit() > FILE_HEADER_BYTES) {
        throw new CorruptJournalException(name + " is corrupt at byte 0: records follow");
      }
      return new Content(List.of(), 0, 0);
    }
    long salt = file.getLong(Integer.BYTES);
    List<JournalRecord> records = new ArrayList<>();
    int position = FILE_HEADER_BYTES;
    ByteString body = body(file, salt, position);
    while (body != null) {
      addAll(records, body);
      position += HEADER_BYTES + body.size();
      body = body(file, salt, position);
    }
    for (int after = position + 1; after + HEADER_BYTES <= file.limit(); after++) {
      if (file.getInt(after) == MAGIC && body(file, salt, after) != null) {
        throw new CorruptJournalException(
            name + " is corrupt at byte " + position + ": records follow that were forced later");
      }
    }
    return new Content(records, position, salt);
  }

  private static boolean hasHeader(ByteBuffer file) {
    return file.limit() >= FILE_HEADER_BYTES
        && file.getInt(0) == FILE_MAGIC
        && file.getInt(FILE_HEADER_BYTES - Integer.BYTES) == headerCrc(file);
  }

  /** Refuses a file of an earlier version, with weaker checksums. */
  static void requireVersion(String name, ByteBuffer file) throws CorruptJournalException {
    if (file.limit() >= Integer.BYTES && file.getInt(0) == EARLIER_MAGIC) {
      throw new CorruptJournalException(
          name + " was written by an earlier version of the log; this version cannot read it");
    }
  }

  private static void addAll(List<JournalRecord> records, ByteString body) {
    FieldReader in = new FieldReader(body);
    int count = in.count(LEAST_RECORD_BYTES);
    for (int i = 0; i < count; i++) {
      records.add(JournalRecord.read(in));
    }
    in.end();
  }

  /** Returns the bytes of the frame at this position, or null if no right frame begins here. */
  static @Nullable ByteString body(ByteBuffer file, long salt, int position) {
    if (position + HEADER_BYTES > file.limit() || file.getInt(position) != MAGIC) {
      return null;
    }
    int length = file.getInt(position + 4);
    if (length <= 0 || length > file.limit() - position - HEADER_BYTES) {
      return null;
    }
    byte[] bytes = new byte[length];
    file.get(position + HEADER_BYTES, bytes);
    return crc(bytes, salt, position) == file.getInt(position + 8)
        ? ByteString.fromArrayUnsafe(bytes)
        : null;
  }

  private static int crc(byte[] bytes, long salt, long position) {
    CRC32C crc = new CRC32C();
    crc.update(
        ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES)
            .putLong(salt)
            .putLong(position)
            .putInt(bytes.length)
            .flip());
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
