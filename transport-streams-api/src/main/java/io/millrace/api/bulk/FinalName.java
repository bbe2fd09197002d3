package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The final name of a file after the last byte, and the temporary names derived from the final
 * name.
 *
 * @param path the name, absolute
 * @param directory the directory of the file
 */
record FinalName(Path path, Path directory) {
  private static final String MARK = ".millrace-";
  private static final Pattern LIVE_PART =
      Pattern.compile("\\..+" + Pattern.quote(MARK) + "[0-9a-f]{16}\\.part");

  /**
   * The most bytes of the name that a temporary name repeats, so the temporary name is not too
   * long.
   */
  private static final int MOST_REPEATED_BYTES = 180;

  /**
   * Checks that a file of this name can appear.
   *
   * @throws IOException if the name belongs to something else than a file, or to an existing file
   *     that shall not be replaced
   */
  static FinalName check(Path file, boolean replace) throws IOException {
    Path path = file.toAbsolutePath();
    Path directory = path.getParent();
    if (directory == null || path.getFileName() == null) {
      throw FileFailure.of("write", path, "the path is no name of a file");
    }
    String other = otherThanFile(path);
    if (other != null) {
      throw FileFailure.of("write", path, "it is " + other);
    }
    if (!replace && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw FileFailure.of("write", path, "the file exists already");
    }
    return new FinalName(path, directory);
  }

  /**
   * Checks the kind of the file that has this name; only regular files and links may lose the name.
   * A link is replaced, not followed. But a link to a device, pipe or socket must stay, because
   * other writers reach the device by this name.
   *
   * @return the kind of the present file, or null if a new file may take the name
   */
  static @Nullable String otherThanFile(Path path) {
    BasicFileAttributes found;
    try {
      found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      // the name is free, or an unreadable file, which the later move cannot replace either
      return null;
    }
    if (found.isDirectory()) {
      return "a directory";
    }
    if (found.isSymbolicLink()) {
      return Files.exists(path) && !Files.isRegularFile(path)
          ? "a link to something that is not a file"
          : null;
    }
    return found.isRegularFile() ? null : "a device, a pipe or a socket";
  }

  /**
   * Whether a file of this name may be a temporary file, also on a file system that ignores case.
   */
  static boolean isTemporary(String name) {
    return name.startsWith(".") && name.toLowerCase(Locale.ROOT).contains(MARK);
  }

  /** Whether a file of this name may be worthless without its writing process. */
  static boolean isLivePart(String name) {
    return LIVE_PART.matcher(name).matches();
  }

  /** Returns a new random temporary name, for a file that loses its worth with the process. */
  Path livePart() {
    String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    return temporary(random + ".part");
  }

  /** Returns a temporary name in the same directory. */
  Path temporary(String suffix) {
    String name = String.valueOf(path.getFileName());
    return directory.resolve("." + shortened(name) + MARK + suffix);
  }

  private static String shortened(String name) {
    if (name.getBytes(StandardCharsets.UTF_8).length <= MOST_REPEATED_BYTES) {
      return name;
    }
    int end = Math.min(name.length(), MOST_REPEATED_BYTES);
    String shorter = name.substring(0, end);
    while (shorter.getBytes(StandardCharsets.UTF_8).length > MOST_REPEATED_BYTES) {
      shorter = shorter.substring(0, shorter.offsetByCodePoints(shorter.length(), -1));
    }
    return shorter + "-" + Integer.toHexString(name.hashCode());
  }

  /**
   * Moves a file to this name, atomically; after an exception the name still belongs to the
   * previous file.
   */
  void take(Path part, boolean replace) throws IOException {
    String other = otherThanFile(path);
    if (other != null) {
      throw new IOException("it is " + other);
    }
    if (replace) {
      Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
    } else {
      takeIfFree(part);
    }
  }

  /**
   * Gives the file its name by a link, because an atomic move would replace an existing file and a
   * link does not.
   */
  private void takeIfFree(Path part) throws IOException {
    try {
      Files.createLink(path, part);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException | UnsupportedOperationException e) {
      moveWhereLinksAreUnknown(part);
      return;
    }
    leave(part);
  }

  /**
   * Deletes the temporary name after the file has its final name. If the delete fails, the
   * temporary name is abandoned, and a later cleanup finds the name.
   */
  private static void leave(Path part) {
    try {
      Files.delete(part);
    } catch (IOException e) {
      return;
    }
  }

  private void moveWhereLinksAreUnknown(Path part) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Returns the name with the real path of the directory, the same for all paths to the directory.
   */
  Path unique() throws IOException {
    return directory.toRealPath().resolve(path.getFileName());
  }
}
