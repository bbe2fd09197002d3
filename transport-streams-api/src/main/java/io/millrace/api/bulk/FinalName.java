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
 * The name that a file gets when it is whole, and the temporary names that belong to it.
 *
 * @param path the name, absolute
 * @param directory where it lies
 */
record FinalName(Path path, Path directory) {
  private static final String MARK = ".millrace-";
  private static final Pattern LIVE_PART =
      Pattern.compile("\\..+" + Pattern.quote(MARK) + "[0-9a-f]{16}\\.part");

  /** Bytes of the name that a temporary name repeats, so that it is not too long itself. */
  private static final int MOST_REPEATED_BYTES = 180;

  /**
   * Checks that a file of this name can appear.
   *
   * @throws IOException if it is something else than a file, or exists and shall not be replaced
   */
  static FinalName check(Path file, boolean replace) throws IOException {
    Path path = file.toAbsolutePath();
    Path directory = path.getParent();
    if (directory == null || path.getFileName() == null) {
      throw FileFailure.of("write", path, "it is no name of a file");
    }
    String other = otherThanFile(path);
    if (other != null) {
      throw FileFailure.of("write", path, "it is " + other);
    }
    if (!replace && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw FileFailure.of("write", path, "it exists already");
    }
    return new FinalName(path, directory);
  }

  /**
   * What has this name and must keep it: all but regular files and links. A link is replaced, not
   * followed, but it must not lead to anything else than a file either: whoever wrote there by its
   * name would find it gone.
   *
   * @return what it is, or null if a file may take the name
   */
  static @Nullable String otherThanFile(Path path) {
    BasicFileAttributes found;
    try {
      found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      // it is free, or what cannot be looked at cannot be replaced either
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

  /** Whether a file of this name may be a temporary one, be it to a file system blind to case. */
  static boolean isTemporary(String name) {
    return name.startsWith(".") && name.toLowerCase(Locale.ROOT).contains(MARK);
  }

  /** Whether a file of this name may be worthless without the process that writes it. */
  static boolean isLivePart(String name) {
    return LIVE_PART.matcher(name).matches();
  }

  /** A temporary name that nobody had before, of a file that goes with the process. */
  Path livePart() {
    String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    return temporary(random + ".part");
  }

  /** A temporary name in the same directory. */
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

  /** Moves a file to this name, at once; what it throws leaves the name to whoever had it. */
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

  /** An atomic move replaces what is there, a link does not. */
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

  /** The file has its name; what keeps its temporary one too is abandoned, and found as that. */
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

  /** The name as no other path to the same directory has it. */
  Path unique() throws IOException {
    return directory.toRealPath().resolve(path.getFileName());
  }
}
