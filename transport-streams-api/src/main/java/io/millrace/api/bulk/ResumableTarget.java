package io.millrace.api.bulk;

import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file that a later transfer may finish. An abort leaves the part file, and a record with
 * the number of bytes and the identity of the source. The application asks {@link #resumeOffset}
 * and requests the bytes from this offset on. Bytes and name are always forced to the device. The
 * death of the process loses the bytes since the last abort; a different identity loses all bytes.
 */
public final class ResumableTarget implements BodyTarget {
  /** The maximum length of a source's identity, in bytes. */
  public static final int MAX_IDENTITY_BYTES = 1024;

  /**
   * The files in use by this process. Locks work between processes only; to open a locked file
   * twice in one process would undo its lock.
   */
  private static final Set<Path> BEING_WRITTEN = ConcurrentHashMap.newKeySet();

  private final FinalName name;
  private final Path key;
  private final byte[] identity;
  private final PartFile part;
  private final long resumeOffset;

  ResumableTarget(FinalName name, Path key, byte[] identity, PartFile part, long resumeOffset) {
    this.name = name;
    this.key = key;
    this.identity = identity;
    this.part = part;
    this.resumeOffset = resumeOffset;
  }

  static ResumableTarget open(Path file, byte[] identity, FileOptions options) throws IOException {
    if (identity.length > MAX_IDENTITY_BYTES) {
      throw new IllegalArgumentException(
          identity.length + " bytes of identity exceed the limit of " + MAX_IDENTITY_BYTES);
    }
    FinalName name = FinalName.check(file, options.replace());
    Path key = key(name);
    if (!BEING_WRITTEN.add(key)) {
      throw inUse(name);
    }
    try {
      return openAlone(name, key, identity.clone(), options);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      BEING_WRITTEN.remove(key);
      throw e;
    }
  }

  private static Path key(FinalName name) throws IOException {
    try {
      return name.unique();
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    }
  }

  private static ResumableTarget openAlone(
      FinalName name, Path key, byte[] identity, FileOptions options) throws IOException {
    Path part = partPath(name);
    try {
      FileChannel channel = LockedFile.open(part);
      if (channel != null) {
        long offset = offset(name, identity, channel);
        PartFile file = new PartFile(name, part, channel, options, NameForcing::open, offset);
        return new ResumableTarget(name, key, identity, file, offset);
      }
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    }
    throw inUse(name);
  }

  private static IOException inUse(FinalName name) {
    return FileFailure.of("write", name.path(), "another resumable transfer is writing it");
  }

  /** Returns the offset from which to continue; cuts off the bytes beyond the record. */
  private static long offset(FinalName name, byte[] identity, FileChannel channel)
      throws IOException {
    try {
      long offset = verified(ResumeRecord.read(recordPath(name)), identity, channel.size());
      // delete the record before its bytes are overwritten
      if (offset == 0 && Files.deleteIfExists(recordPath(name))) {
        forceNames(name);
      }
      channel.truncate(offset);
      return offset;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static void forceNames(FinalName name) throws IOException {
    try (NameForcing directory = NameForcing.open(name.directory())) {
      directory.force();
    }
  }

  private static long verified(@Nullable ResumeRecord left, byte[] identity, long sizeBytes) {
    if (left == null || left.lengthBytes() > sizeBytes) {
      return 0;
    }
    return left.equals(ResumeRecord.of(left.lengthBytes(), identity)) ? left.lengthBytes() : 0;
  }

  private static Path partPath(FinalName name) {
    return name.temporary("resume.part");
  }

  private static Path recordPath(FinalName name) {
    return name.temporary("resume.state");
  }

  /** Returns the number of bytes already here: the transfer begins with the byte at this offset. */
  public long resumeOffset() {
    return resumeOffset;
  }

  @Override
  public boolean waitsForDevice() {
    return true;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    part.append(bytes, offset, length);
  }

  @Override
  public void complete() throws IOException {
    try {
      part.publishLocked();
      forget();
    } catch (UnforcedNameException e) {
      forget();
      throw e;
    } catch (IOException e) {
      keep(e);
      part.close(e);
      throw e;
    } finally {
      BEING_WRITTEN.remove(key);
    }
  }

  /**
   * Deletes the record after the file has its name. A remaining record belongs to a missing part
   * file, and counts as no record.
   */
  private void forget() {
    try {
      Files.deleteIfExists(recordPath(name));
    } catch (IOException e) {
      return;
    }
  }

  @Override
  public void abort(Throwable cause) {
    try {
      keep(cause);
    } finally {
      part.close(cause);
      BEING_WRITTEN.remove(key);
    }
  }

  private void keep(Throwable cause) {
    try {
      part.flush();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
    try {
      part.force();
      ResumeRecord.of(part.flushedBytes(), identity)
          .write(recordPath(name), name.temporary("resume.state.part"));
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
