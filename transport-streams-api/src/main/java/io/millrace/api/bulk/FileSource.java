package io.millrace.api.bulk;

import io.millrace.actor.body.BodySource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads a file up to the length that it had when it was opened, through one direct buffer of its
 * own, so that executors of many threads do not keep one for each thread.
 */
final class FileSource implements BodySource {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Path file;
  private final FileChannel channel;
  private final long start;
  private final long end;
  private final ByteBuffer buffer;
  private long position;

  /** Owns the channel; reads it from {@code start} to {@code end}. */
  FileSource(Path file, FileChannel channel, long start, long end) {
    this.file = file;
    this.channel = channel;
    this.start = start;
    this.end = end;
    position = start;
    buffer = ByteBuffer.allocateDirect((int) Math.min(BUFFER_BYTES, end - start));
  }

  static FileSource open(Path file, long offset) throws IOException {
    if (offset < 0) {
      throw new IllegalArgumentException("the offset is " + offset);
    }
    FileChannel channel = openChannel(file);
    try {
      long end = channel.size();
      if (offset > end) {
        throw new IOException(
            "cannot read " + file + " from byte " + offset + ": it has " + end + " bytes");
      }
      return new FileSource(file, channel, offset, end);
    } catch (IOException | OutOfMemoryError e) {
      channel.close();
      throw e;
    }
  }

  private static FileChannel openChannel(Path file) throws IOException {
    try {
      // opening a pipe would wait for its writer
      if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
        throw new IOException("not a regular file");
      }
      return FileChannel.open(file, StandardOpenOption.READ);
    } catch (IOException e) {
      throw FileFailure.of("read", file, e);
    }
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
    buffer.clear().limit((int) Math.min(Math.min(length, buffer.capacity()), end - position));
    int count = readChannel();
    if (count < 0) {
      throw new IOException(
          "cannot read %s: it shrank to %d of %d bytes while it was read"
              .formatted(file, position, end));
    }
    buffer.flip().get(into, offset, count);
    position += count;
    return count;
  }

  private int readChannel() throws IOException {
    try {
      return channel.read(buffer, position);
    } catch (IOException e) {
      throw FileFailure.of("read", file, e);
    }
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
