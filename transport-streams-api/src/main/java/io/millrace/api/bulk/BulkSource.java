package io.millrace.api.bulk;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.Headers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;

/** Creates sources of bulk transfers. Each source serves one transfer, which closes the source. */
public final class BulkSource {
  private BulkSource() {}

  /** Reads an array; the array must not change before the transfer ends. */
  public static BodySource of(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    return new SegmentSource(MemorySegment.ofArray(bytes));
  }

  /**
   * Reads memory, which must stay alive and unchanged until the transfer ends; use {@link
   * MemorySegment#asSlice} for a range.
   *
   * @throws IllegalArgumentException if only one thread may access the memory
   */
  public static BodySource of(MemorySegment memory) {
    Objects.requireNonNull(memory, "memory");
    return new SegmentSource(memory);
  }

  /** Reads a whole file; see {@link #file(Path, long)}. */
  public static BodySource file(Path file) throws IOException {
    return file(file, 0);
  }

  /**
   * Reads a whole file with options; see {@link #file(Path, long)}. With {@link
   * FileOptions#deleteWhenDone} the source deletes the file when the transfer closes the source:
   * after the last byte was sent, or after a failure. A source that no transfer takes must be
   * closed by the application.
   */
  public static BodySource file(Path file, FileOptions options) throws IOException {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(options, "options");
    FileSource source = FileSource.open(file, 0);
    return options.deleteWhenDone() ? source.deletingFile() : source;
  }

  /**
   * Reads a file from {@code offset} to the present end of the file. A file changed by the time of
   * the last read fails the transfer: another length, another time of last change, or another file
   * under the name. Two changes within one tick of the file system's clock, some milliseconds, may
   * look like one. Use {@link BulkStreams} for a file that keeps growing.
   *
   * @param offset the first byte to read; earlier bytes are not part of the transfer
   * @throws IOException if the file is missing, not a regular file, not readable or shorter than
   *     the offset
   * @throws IllegalArgumentException if the offset is negative
   */
  public static BodySource file(Path file, long offset) throws IOException {
    Objects.requireNonNull(file, "file");
    return FileSource.open(file, offset);
  }

  /**
   * Returns a source of the same bytes with headers for the answer to a read. The headers travel
   * ahead of the bytes, and arrive before the first byte. For a write, set the headers in the
   * options of the transfer instead.
   *
   * @param headers at most {@code millrace.limits.headers}, else the read gets the answer {@code
   *     RESPONSE_TOO_LARGE}
   */
  public static BodySource withHeaders(Headers headers, BodySource source) {
    return new AnsweringSource(
        Objects.requireNonNull(headers, "headers"), Objects.requireNonNull(source, "source"));
  }
}
