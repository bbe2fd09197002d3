package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Temporary files that are worthless without their writing process. The process holds a lock on
 * each file, which the operating system releases at every end of the process; a file without a lock
 * is abandoned. Locks only work between processes, so the process also keeps a list of its own
 * files: to open and close such a file here would end its lock. Any thread.
 */
final class LiveParts {
  private static final int MOST_TRIES = 16;
  private static final Set<String> WRITTEN_HERE = ConcurrentHashMap.newKeySet();

  /** A file just created, and its channel. */
  record Created(Path part, FileChannel channel) {}

  private LiveParts() {}

  /**
   * Creates a temporary file; {@link #end} must follow once the file has left its temporary name.
   */
  static Created create(FinalName name) throws IOException {
    for (int i = 0; i < MOST_TRIES; i++) {
      Path part = name.livePart();
      FileChannel channel = createHeld(part);
      if (channel != null) {
        return new Created(part, channel);
      }
    }
    throw new IOException("another process deletes its temporary files");
  }

  /**
   * Creates and locks a file; returns null if a search for abandoned files was quicker than the
   * lock.
   */
  private static @Nullable FileChannel createHeld(Path part) throws IOException {
    WRITTEN_HERE.add(key(part));
    FileChannel channel = null;
    boolean isHeld = false;
    try {
      channel = FileMode.openOwned(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      isHeld = hold(channel) && Files.exists(part, LinkOption.NOFOLLOW_LINKS);
      return isHeld ? channel : null;
    } catch (FileAlreadyExistsException e) {
      return null;
    } finally {
      if (!isHeld) {
        close(channel);
        end(part);
      }
    }
  }

  private static boolean hold(FileChannel channel) {
    try {
      return channel.tryLock() != null;
    } catch (IOException e) {
      // On a file system without locks no search can delete files by a missing lock, so the file
      // stays until its end.
      return true;
    }
  }

  private static void close(@Nullable FileChannel channel) throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  /** Ends the process's use of the file, after its channel was closed. Idempotent. */
  static void end(Path part) {
    WRITTEN_HERE.remove(key(part));
  }

  private static String key(Path part) {
    return String.valueOf(part.getFileName());
  }

  /**
   * Deletes the temporary files of a directory without a writer; returns the number of deleted
   * files.
   */
  static int removeAbandoned(Path directory) throws IOException {
    int removed = 0;
    try (DirectoryStream<Path> parts =
        Files.newDirectoryStream(directory, file -> FinalName.isLivePart(key(file)))) {
      for (Path part : parts) {
        removed += removeIfAbandoned(part) ? 1 : 0;
      }
    } catch (DirectoryIteratorException e) {
      throw FileFailure.of("read", directory, Objects.requireNonNull(e.getCause(), "cause"));
    } catch (IOException e) {
      throw FileFailure.of("read", directory, e);
    }
    return removed;
  }

  /**
   * Deletes an abandoned file. One thread at a time: two threads at the same file would end each
   * other's lock.
   */
  private static synchronized boolean removeIfAbandoned(Path part) {
    if (WRITTEN_HERE.contains(key(part)) || !Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel channel =
        FileChannel.open(part, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      return channel.tryLock() != null && Files.deleteIfExists(part);
    } catch (IOException e) {
      // The file has just left its temporary name, or this user may not delete the file.
      return false;
    }
  }
}
