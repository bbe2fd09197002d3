package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file under its temporary name: appends through one direct buffer of its own, and moves to the
 * final name. Every failure names the final file.
 */
final class PartFile {
  /** One record: larger ones were not faster, and take longer to allocate. */
  private static final int BUFFER_BYTES = 64 * 1024;

  private final FinalName name;
  private final Path part;
  private final FileChannel channel;
  private final FileOptions options;
  private final ByteBuffer buffer;
  private long flushedBytes;

  /** Owns the channel, and appends from {@code startBytes} through {@code buffer}. */
  PartFile(
      FinalName name,
      Path part,
      FileChannel channel,
      FileOptions options,
      ByteBuffer buffer,
      long startBytes) {
    this.name = name;
    this.part = part;
    this.channel = channel;
    this.options = options;
    this.buffer = buffer;
    flushedBytes = startBytes;
  }

  /** A buffer for one file; made before the file, so that without memory for it there is none. */
  static ByteBuffer newBuffer() {
    return ByteBuffer.allocateDirect(BUFFER_BYTES);
  }

  /** Appends; what does not fit the buffer reaches the file now, the rest later. */
  void append(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int count = Math.min(length - done, buffer.remaining());
      buffer.put(bytes, offset + done, count);
      done += count;
      if (!buffer.hasRemaining()) {
        flush();
      }
    }
  }

  /** Bytes that the file holds, without those that wait in the buffer. */
  long flushedBytes() {
    return flushedBytes;
  }

  /** Gives everything to the operating system; what failed can be tried again. */
  void flush() throws IOException {
    buffer.flip();
    try {
      while (buffer.hasRemaining()) {
        flushedBytes += channel.write(buffer, flushedBytes);
      }
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    } finally {
      buffer.compact();
    }
  }

  /** Makes everything written so far survive a crash of the machine. */
  void force() throws IOException {
    try {
      channel.force(true);
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    }
  }

  /** Writes what is left, and gives the file its final name. */
  void publish() throws IOException {
    if (options.force()) {
      publishLocked();
    } else {
      publishUnforced();
    }
    LiveParts.end(part);
  }

  /** Bytes that were not forced may fail to be written as late as by the close. */
  private void publishUnforced() throws IOException {
    flush();
    try {
      channel.close();
      name.take(part, options.replace());
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    }
  }

  /** Forces all, and keeps the lock until the file has left its temporary name. */
  void publishLocked() throws IOException {
    flush();
    force();
    try {
      name.take(part, options.replace());
      channel.close();
      name.forceDirectory();
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    }
  }

  /** Closes the file and deletes it; failures are added to {@code cause}. */
  void discard(Throwable cause) {
    close(cause);
    try {
      Files.deleteIfExists(part);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /** Closes the file and leaves it; failures are added to {@code cause}. */
  void close(Throwable cause) {
    try {
      channel.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    } finally {
      LiveParts.end(part);
    }
  }
}
