package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A file under its temporary name: appends through a buffer, and moves to the final name. Every
 * failure names the final file. A long file is written in blocks: another thread writes a full
 * block while the caller fills the next block, and a third thread forces earlier blocks to the
 * device. A failure of either thread is thrown by a later call.
 */
final class PartFile {
  /** A file with as many bytes is long. */
  private static final int LONG_BYTES = 1024 * 1024;

  /**
   * The bytes between two forces ahead of the end: few enough for a short wait at the end, and
   * enough for a device that writes large pieces faster.
   */
  private static final int FORCE_STEP_BYTES = 32 * 1024 * 1024;

  private final FinalName name;
  private final Path part;
  private final FileChannel channel;
  private final FileOptions options;
  private final NameForcing.Opener forcing;

  /** The bytes to write; null while no bytes wait. */
  private @Nullable FileBuffer buffer;

  /** The full block that another thread writes, or that a failure has left; null without one. */
  private @Nullable FileBuffer full;

  /** The write of the full block; null once waited for. */
  private @Nullable Future<?> writing;

  /** The latest force ahead of the end. A failed force stays here: the device tells only once. */
  private @Nullable Future<?> forcedAhead;

  // Belongs to the thread that writes the full block until that write was waited for.
  private long flushedBytes;
  private long forcedBytes;

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
    forcedBytes = startBytes;
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
        passOn();
      }
    }
  }

  private FileBuffer taken() {
    FileBuffer taken = buffer;
    if (taken == null) {
      taken = full != null || flushedBytes >= LONG_BYTES ? FileBuffer.tryTakeBlock() : null;
      taken = taken == null ? FileBuffer.take() : taken;
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

  /** Gives a full block to another thread; writes a full buffer of another size now. */
  private void passOn() throws IOException {
    FileBuffer taken = buffer;
    if (taken == null || !taken.isBlock()) {
      flush();
      return;
    }
    settle();
    forceAhead();
    taken.bytes().flip();
    full = taken;
    buffer = null;
    writing = WriteBehind.tryBegin(() -> write(taken.bytes()));
    if (writing == null) {
      settle();
    }
  }

  /** Waits for the full block to be written, and writes the bytes that an earlier failure left. */
  private void settle() throws IOException {
    Future<?> write = writing;
    writing = null;
    if (write != null) {
      WriteBehind.await(write);
    }
    FileBuffer left = full;
    if (left != null) {
      write(left.bytes());
      full = null;
      left.giveBack();
    }
  }

  private void forceAhead() {
    Future<?> before = forcedAhead;
    if (options.force()
        && flushedBytes - forcedBytes >= FORCE_STEP_BYTES
        && (before == null || before.state() == Future.State.SUCCESS)) {
      forcedAhead = WriteBehind.tryBegin(() -> channel.force(false));
      forcedBytes = flushedBytes;
    }
  }

  private void write(ByteBuffer waiting) throws IOException {
    try {
      while (waiting.hasRemaining()) {
        flushedBytes += channel.write(waiting, flushedBytes);
      }
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    }
  }

  /** The number of bytes in the file, without the bytes in the buffer. */
  long flushedBytes() {
    return flushedBytes;
  }

  /** Gives all bytes to the operating system; a failed flush can be tried again. */
  void flush() throws IOException {
    settle();
    FileBuffer taken = buffer;
    if (taken == null) {
      return;
    }
    ByteBuffer waiting = taken.bytes().flip();
    try {
      write(waiting);
    } finally {
      waiting.compact();
    }
    giveBack();
  }

  /** Makes all bytes written so far survive a crash of the machine. */
  void force() throws IOException {
    try {
      awaitForcing();
      channel.force(true);
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    }
  }

  private void awaitForcing() throws IOException {
    Future<?> ahead = forcedAhead;
    if (ahead != null) {
      WriteBehind.await(ahead);
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
    giveUp(cause);
    try {
      channel.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    } finally {
      LiveParts.end(part);
    }
  }

  /** Waits for the other threads to leave the file, and gives all memory back. */
  private void giveUp(Throwable cause) {
    awaitEnd(writing, cause);
    awaitEnd(forcedAhead, cause);
    writing = null;
    giveBack();
    buffer = full;
    full = null;
    giveBack();
  }

  private static void awaitEnd(@Nullable Future<?> task, Throwable cause) {
    try {
      if (task != null) {
        WriteBehind.await(task);
      }
    } catch (IOException e) {
      if (e != cause) {
        cause.addSuppressed(e);
      }
    }
  }
}
