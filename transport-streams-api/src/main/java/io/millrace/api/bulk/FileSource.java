package io.millrace.api.bulk;

import io.millrace.transfer.BodySource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file up to the length that it had when it was opened. With the last bytes it looks
 * whether the file is still what it was: what was read while it changed was never its content.
 */
final class FileSource implements BodySource {
  private final Path file;
  private final FileChannel channel;
  private final FileStamp opened;
  private final long start;
  private final long end;
  private long position;

  /** Owns the channel; reads it from {@code start} to {@code end}. */
  FileSource(Path file, FileChannel channel, FileStamp opened, long start, long end) {
    this.file = file;
    this.channel = channel;
    this.opened = opened;
    this.start = start;
    this.end = end;
    position = start;
  }

  static FileSource open(Path file, long offset) throws IOException {
    if (offset < 0) {
      throw new IllegalArgumentException("the offset is " + offset);
    }
    FileStamp stamp = stamp(file);
    FileChannel channel = openChannel(file);
    try {
      long end = size(file, channel);
      if (offset > end) {
        throw FileFailure.beyondEnd(file, offset, end);
      }
      requireLength(file, channel, end);
      return new FileSource(file, channel, stamp, offset, end);
    } catch (IOException | OutOfMemoryError e) {
      channel.close();
      throw e;
    }
  }

  /** Files that a kernel makes as they are read, such as those of /proc, tell a length of 0. */
  private static void requireLength(Path file, FileChannel channel, long end) throws IOException {
    int more;
    try {
      more = channel.read(ByteBuffer.allocate(1), end);
    } catch (IOException e) {
      throw FileFailure.of("read", file, e);
    }
    if (more > 0) {
      throw FileFailure.of(
          "read",
          file,
          ("it holds more than the %d bytes that the file system tells; send a copy of it, or its"
                  + " bytes as a stream")
              .formatted(end));
    }
  }

  /** Ahead of opening it, because opening a pipe would wait for its writer. */
  private static FileStamp stamp(Path file) throws IOException {
    try {
      return FileStamp.of(file);
    } catch (IOException e) {
      throw FileFailure.of("read", file, e);
    }
  }

  private static FileChannel openChannel(Path file) throws IOException {
    try {
      return FileChannel.open(file, StandardOpenOption.READ);
    } catch (IOException e) {
      throw FileFailure.of("read", file, e);
    }
  }

  private static long size(Path file, FileChannel channel) throws IOException {
    try {
      return channel.size();
    } catch (IOException e) {
      throw FileFailure.of("read", file, e); // the thread is interrupted, for example
    }
  }

  @Override
  public boolean waitsForDevice() {
    return true;
  }

  @Override
  public long lengthBytes() {
    return end - start;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (position == end) {
      return -1;
    }
    FileBuffer borrowed = FileBuffer.take();
    int count;
    try {
      ByteBuffer buffer = borrowed.bytes();
      buffer.limit((int) Math.min(Math.min(length, buffer.capacity()), end - position));
      count = readChannel(buffer);
      if (count < 0) {
        throw FileFailure.of(
            "read", file, "it shrank to %d of %d bytes while it was read".formatted(position, end));
      }
      buffer.flip().get(into, offset, count);
    } finally {
      borrowed.giveBack();
    }
    position += count;
    if (position == end) {
      requireUnchanged();
    }
    return count;
  }

  private int readChannel(ByteBuffer buffer) throws IOException {
    try {
      return channel.read(buffer, position);
    } catch (IOException e) {
      throw FileFailure.of("read", file, e);
    }
  }

  private void requireUnchanged() throws IOException {
    FileStamp now;
    try {
      now = FileStamp.of(file);
    } catch (IOException e) {
      throw changed(e);
    }
    if (!now.equals(opened) || now.sizeBytes() != end) {
      throw changed(null);
    }
  }

  private IOException changed(@Nullable IOException cause) {
    return FileFailure.of("read", file, "it changed while it was read", cause);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // nothing was written through it, so nothing can be lost
    }
  }
}
