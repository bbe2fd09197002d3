package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

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
   * @throws IOException if it is a directory, or exists and shall not be replaced
   */
  static FinalName check(Path file, boolean replace) throws IOException {
    Path path = file.toAbsolutePath();
    Path directory = path.getParent();
    if (directory == null || path.getFileName() == null) {
      throw new IOException("cannot write " + path + ": it is no name of a file");
    }
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("cannot write " + path + ": it is a directory");
    }
    if (!replace && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("cannot write " + path + ": it exists already");
    }
    return new FinalName(path, directory);
  }

  /** Whether a file of this name may be a temporary one. */
  static boolean isTemporary(String name) {
    return name.startsWith(".") && name.contains(MARK);
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

  /** Moves a file to this name, at once. */
  void take(Path part, boolean replace) throws IOException {
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
    Files.delete(part);
  }

  private void moveWhereLinksAreUnknown(Path part) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Makes a change of names survive a crash of the machine. */
  void forceDirectory() throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
