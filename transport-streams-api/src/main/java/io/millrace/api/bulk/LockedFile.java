package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Opens a file for one writing process at a time. */
final class LockedFile {
  private LockedFile() {}

  /**
   * Opens or creates the file; the lock ends when the channel is closed. Returns null if another
   * process has the lock, or had the lock and has just given the file another name. A file with a
   * second name is not opened but replaced: its writer died while giving the file its final name. A
   * symbolic link is not followed.
   *
   * @throws IOException also if the file is a symbolic link
   */
  static @Nullable FileChannel open(Path file) throws IOException {
    FileChannel channel = openLocked(file);
    if (channel == null || !hasOtherName(file)) {
      return channel;
    }
    try (channel) {
      Files.delete(file);
    }
    return openLocked(file);
  }

  private static @Nullable FileChannel openLocked(Path file) throws IOException {
    FileChannel channel =
        FileMode.openOwned(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean isLocked = false;
    try {
      Object opened = identity(file);
      isLocked = channel.tryLock() != null && Objects.equals(opened, identity(file));
    } catch (OverlappingFileLockException | NoSuchFileException e) {
      return null;
    } finally {
      if (!isLocked) {
        channel.close();
      }
    }
    return isLocked ? channel : null;
  }

  private static boolean hasOtherName(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix")
        && Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS)
            instanceof Integer links
        && links > 1;
  }

  private static @Nullable Object identity(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }
}
