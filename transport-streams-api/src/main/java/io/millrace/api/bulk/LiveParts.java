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
 * Temporary files that are worth nothing without the process that writes them. It holds a lock on
 * each, which the operating system takes back when the process ends, however it ends; a file
 * without one is abandoned. Locks tell processes apart only, so there is a list of this process's
 * own as well: to open and close one of its files here would end its lock. Any thread.
 */
final class LiveParts {
  private static final int MOST_TRIES = 16;
  private static final Set<String> WRITTEN_HERE = ConcurrentHashMap.newKeySet();

  /** A file that was just made, and its channel. */
  record Created(Path part, FileChannel channel) {}

  private LiveParts() {}

  /** Makes one; {@link #end} must follow once it has left its name. */
  static Created create(FinalName name) throws IOException {
    for (int i = 0; i < MOST_TRIES; i++) {
      Path part = name.livePart();
      FileChannel channel = createHeld(part);
      if (channel != null) {
        return new Created(part, channel);
      }
    }
    throw new IOException("its temporary files are taken away");
  }

  /** Null if someone who looks for abandoned files was quicker than the lock. */
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
      // Where there are no locks nobody finds a file without one, so it stays until it is done.
      return true;
    }
  }

  private static void close(@Nullable FileChannel channel) throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  /** This process is done with the file, whose channel is closed. Idempotent. */
  static void end(Path part) {
    WRITTEN_HERE.remove(key(part));
  }

  private static String key(Path part) {
    return String.valueOf(part.getFileName());
  }

  /** Deletes those of a directory that nobody writes; how many there were. */
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

  /** One at a time: two that looked at one file would end each other's lock. */
  private static synchronized boolean removeIfAbandoned(Path part) {
    if (WRITTEN_HERE.contains(key(part)) || !Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel channel =
        FileChannel.open(part, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      return channel.tryLock() != null && Files.deleteIfExists(part);
    } catch (IOException e) {
      // It has just left its name, or is not this user's to delete.
      return false;
    }
  }
}
