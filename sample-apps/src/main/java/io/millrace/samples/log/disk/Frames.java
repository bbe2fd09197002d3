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
 * The format of a log file: frames of a magic number, a length, a CRC32C and so many bytes. A frame
 * is what was forced at once, and the next one is written only after that. So a frame that is wrong
 * and the last one was never acknowledged: it is torn. One that has a right frame behind it was
 * acknowledged, and is corrupt.
 */
public final class Frames {
  private static final int MAGIC = 0x4d4c4f47;
  private static final int HEADER_BYTES = 12;
  private static final int LEAST_RECORD_BYTES = 24;

  /**
   * What a file holds.
   *
   * @param records in order
   * @param bytes of the file that are right; what follows them is torn
   */
  public record Content(List<JournalRecord> records, int bytes) {}

  private Frames() {}

  /** The frame of records that are forced at once. */
  public static ByteBuffer encode(List<JournalRecord> records) {
    FieldWriter out = new FieldWriter().small(records.size());
    records.forEach(entry -> entry.write(out));
    return frame(out.toBytes());
  }

  static ByteBuffer frame(ByteString body) {
    byte[] bytes = body.toArrayUnsafe();
    ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + bytes.length);
    return frame.putInt(MAGIC).putInt(bytes.length).putInt(crc(bytes)).put(bytes).flip();
  }

  /**
   * Reads a whole file.
   *
   * @param name of the file, for people
   * @throws CorruptJournalException if something that was acknowledged is damaged
   */
  public static Content read(String name, ByteBuffer file) throws CorruptJournalException {
    List<JournalRecord> records = new ArrayList<>();
    int position = 0;
    ByteString body = body(file, position);
    while (body != null) {
      addAll(records, body);
      position += HEADER_BYTES + body.size();
      body = body(file, position);
    }
    for (int after = position + 1; after + HEADER_BYTES <= file.limit(); after++) {
      if (file.getInt(after) == MAGIC && body(file, after) != null) {
        throw new CorruptJournalException(
            name + " is corrupt at byte " + position + ": records follow that were forced later");
      }
    }
    return new Content(records, position);
  }

  private static void addAll(List<JournalRecord> records, ByteString body) {
    FieldReader in = new FieldReader(body);
    int count = in.count(LEAST_RECORD_BYTES);
    for (int i = 0; i < count; i++) {
      records.add(JournalRecord.read(in));
    }
    in.end();
  }

  /** The bytes of a frame, or null if there is no right one here. */
  static @Nullable ByteString body(ByteBuffer file, int position) {
    if (position + HEADER_BYTES > file.limit() || file.getInt(position) != MAGIC) {
      return null;
    }
    int length = file.getInt(position + 4);
    if (length < 0 || length > file.limit() - position - HEADER_BYTES) {
      return null;
    }
    byte[] bytes = new byte[length];
    file.get(position + HEADER_BYTES, bytes);
    return crc(bytes) == file.getInt(position + 8) ? ByteString.fromArrayUnsafe(bytes) : null;
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
