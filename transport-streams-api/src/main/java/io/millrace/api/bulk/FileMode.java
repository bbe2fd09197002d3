package io.millrace.api.bulk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The access mode of a written file. Until all bytes are written, only the owner may read and write
 * the file. Then the file has the mode of the replaced file, or the mode of a new file of this
 * process. Does nothing on a file system without such modes. Owners, groups and access lists are
 * not taken over.
 */
final class FileMode {
  private static final Set<PosixFilePermission> OWNER =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  /** The mode of a new file before the mask of the process, as in open(2). */
  private static final int USUAL_MODE = 0666;

  private static final int USUAL_MASK = 022;
  private static final String MASK_LINE = "Umask:";

  private FileMode() {}

  /**
   * Opens a temporary file; if the call creates the file, only the owner can open the file. Another
   * user with write access to the directory can guess the name, so the method refuses a link, which
   * would lead to another file.
   */
  static FileChannel openOwned(Path file, OpenOption... options) throws IOException {
    Set<OpenOption> all = new HashSet<>(List.of(options));
    all.add(LinkOption.NOFOLLOW_LINKS);
    FileAttribute<?>[] modes =
        isKnown(file)
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
            : new FileAttribute<?>[0];
    try {
      return FileChannel.open(file, all, modes);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      throw Files.isSymbolicLink(file) ? isLink(file, e) : e;
    }
  }

  private static IOException isLink(Path file, IOException cause) {
    return new IOException("its temporary file " + file.getFileName() + " is a link", cause);
  }

  /**
   * Gives the temporary file the mode of its final name. If the mode cannot be set, the file stays
   * open to its owner only.
   */
  static void prepare(Path part, Path name) {
    if (!isKnown(part)) {
      return;
    }
    try {
      Files.setPosixFilePermissions(part, wanted(name));
    } catch (IOException | UnsupportedOperationException e) {
      // file systems without modes refuse, and have the same mode for all files
      return;
    }
  }

  private static Set<PosixFilePermission> wanted(Path name) {
    try {
      PosixFileAttributes replaced =
          Files.readAttributes(name, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return replaced.isRegularFile() ? replaced.permissions() : usual();
    } catch (IOException e) {
      return usual();
    }
  }

  private static Set<PosixFilePermission> usual() {
    return permissions(USUAL_MODE & ~mask());
  }

  /**
   * Returns the mask of the process. Java has no method for the mask, and no Java code changes the
   * mask.
   */
  private static int mask() {
    try (Stream<String> lines =
        Files.lines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.startsWith(MASK_LINE))
          .mapToInt(line -> Integer.parseInt(line.substring(MASK_LINE.length()).strip(), 8))
          .findFirst()
          .orElse(USUAL_MASK);
    } catch (IOException | UncheckedIOException | NumberFormatException e) {
      return USUAL_MASK;
    }
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] all = PosixFilePermission.values();
    for (int i = 0; i < all.length; i++) {
      if (((mode >> (all.length - 1 - i)) & 1) != 0) {
        permissions.add(all[i]);
      }
    }
    return permissions;
  }

  private static boolean isKnown(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
