package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file under its temporary name: appends through a buffer, and moves to the final name. Every
 * failure names the final file.
 */
final class PartFile {
  private final FinalName name;
  private final Path part;
  private final FileChannel channel;
  private final FileOptions options;
  private final NameForcing.Opener forcing;

  /** The bytes to write; null while no bytes wait. */
  private @Nullable FileBuffer buffer;

  private long flushedBytes;

  /** Owns the channel, and appends from {@code startBytes}. */
  PartFile(
      FinalName name,
      Path part,
      FileChannel channel,
      FileOptions options,
      NameForcing.Opener forcing,
      long startBytes) {
    this.name = name;
    this.part = part;
    this.channel = channel;
    this.options = options;
    this.forcing = forcing;
    flushedBytes = startBytes;
  }

  /** Appends bytes; full buffers reach the file now, the rest later. */
  void append(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      ByteBuffer waiting = taken().bytes();
      int count = Math.min(length - done, waiting.remaining());
      waiting.put(bytes, offset + done, count);
      done += count;
      if (!waiting.hasRemaining()) {
        flush();
      }
    }
  }

  private FileBuffer taken() {
    FileBuffer taken = buffer;
    if (taken == null) {
      taken = FileBuffer.take();
      buffer = taken;
    }
    return taken;
  }

  private void giveBack() {
    FileBuffer taken = buffer;
    buffer = null;
    if (taken != null) {
      taken.giveBack();
    }
  }

  /** The number of bytes in the file, without the bytes in the buffer. */
  long flushedBytes() {
    return flushedBytes;
  }

  /** Gives all bytes to the operating system; a failed flush can be tried again. */
  void flush() throws IOException {
    FileBuffer taken = buffer;
    if (taken == null) {
      return;
    }
    ByteBuffer waiting = taken.bytes().flip();
    try {
      while (waiting.hasRemaining()) {
        flushedBytes += channel.write(waiting, flushedBytes);
      }
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    } finally {
      waiting.compact();
    }
    giveBack();
  }

  /** Makes all bytes written so far survive a crash of the machine. */
  void force() throws IOException {
    try {
      channel.force(true);
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    }
  }

  /**
   * Writes the rest of the bytes, and gives the file its final name.
   *
   * @throws UnforcedNameException if the file has its final name, but the device has not confirmed
   *     the name
   */
  void publish() throws IOException {
    if (options.force()) {
      publishLocked();
    } else {
      publishUnforced();
    }
    LiveParts.end(part);
  }

  /**
   * Publishes without forcing. Keeps the lock until the file has left its temporary name: without
   * the lock, a search for abandoned files would delete the complete file. The write of unforced
   * bytes may fail as late as at the close, when the file already has its name.
   */
  private void publishUnforced() throws IOException {
    flush();
    FileMode.prepare(part, name.path());
    take();
    try {
      channel.close();
    } catch (IOException e) {
      throw FileFailure.unforced(name.path(), e);
    }
  }

  /** Forces all, and keeps the lock until the file has left its temporary name. */
  void publishLocked() throws IOException {
    flush();
    FileMode.prepare(part, name.path());
    force();
    try (NameForcing directory = openDirectory()) {
      take();
      closeForced();
      force(directory);
    }
  }

  private NameForcing openDirectory() throws IOException {
    try {
      return forcing.open(name.directory());
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    }
  }

  private void take() throws IOException {
    try {
      name.take(part, options.replace());
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    }
  }

  private void closeForced() {
    try {
      channel.close();
    } catch (IOException e) {
      // all bytes are on the device and the file has its name
      return;
    }
  }

  private void force(NameForcing directory) throws IOException {
    try {
      directory.force();
    } catch (IOException e) {
      throw FileFailure.unforced(name.path(), e);
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
    giveBack();
    try {
      channel.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    } finally {
      LiveParts.end(part);
    }
  }
}
