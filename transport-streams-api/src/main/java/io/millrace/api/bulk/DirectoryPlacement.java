package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Maps the names in peers' requests to files under one directory, and refuses names that lead out
 * of the directory. A name is relative, with parts separated by slashes. Holds no file open; safe
 * on any thread. The check cannot defend against a process on this machine that replaces
 * directories by links at the same moment.
 */
public final class DirectoryPlacement {
  private static final int MOST_BYTES = 1024;
  private static final int MOST_PART_BYTES = 255;
  private static final int MOST_SHOWN = 80;

  private final Path root;

  private DirectoryPlacement(Path root) {
    this.root = root;
  }

  /**
   * Places files under this directory, which must exist.
   *
   * @throws IOException if the directory does not exist, or is not a directory
   */
  public static DirectoryPlacement under(Path directory) throws IOException {
    Path root;
    try {
      root = directory.toRealPath();
    } catch (IOException e) {
      throw FileFailure.of("use", directory, e);
    }
    if (!Files.isDirectory(root)) {
      throw FileFailure.of("use", directory, "it is not a directory");
    }
    return new DirectoryPlacement(root);
  }

  /**
   * Returns the file for a peer to read: a regular file with a real path inside the directory.
   *
   * @throws PlacementException if no file of this name is open to the peer
   */
  public Path forReading(String name) throws PlacementException {
    Path real = real(name, resolve(name));
    if (!real.startsWith(root)) {
      throw refused(name, "leaves the directory by a link");
    }
    if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
      throw refused(name, "is not a regular file");
    }
    return real;
  }

  /**
   * Returns the file for a peer to write. The file may exist or not, but its directory must exist
   * and lie inside this directory. A link of this name is for the writer to replace, not to follow;
   * file targets do so. Directories, devices, pipes and sockets are no files, and neither are links
   * to them.
   *
   * @throws PlacementException if the peer may not write the file
   */
  public Path forWriting(String name) throws PlacementException {
    Path path = resolve(name);
    Path directory = real(name, path.resolveSibling("."));
    if (!directory.startsWith(root)) {
      throw refused(name, "leaves the directory by a link");
    }
    if (!Files.isDirectory(directory)) {
      throw refused(name, "lies in no directory");
    }
    Path placed = directory.resolve(path.getFileName());
    String other = FinalName.otherThanFile(placed);
    if (other != null) {
      throw refused(name, "is " + other);
    }
    return placed;
  }

  private static Path real(String name, Path path) throws PlacementException {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw refused(name, "does not exist or cannot be reached");
    }
  }

  private Path resolve(String name) throws PlacementException {
    if (name.isEmpty()) {
      throw new PlacementException("the name of the file is empty");
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
      throw refused(name, "is longer than " + MOST_BYTES + " bytes");
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw refused(name, "contains a control character");
    }
    if (name.startsWith("/")) {
      throw refused(name, "is not relative");
    }
    Path path = root;
    for (String part : name.split("/", -1)) {
      path = path.resolve(part(name, part));
    }
    return path;
  }

  private static Path part(String name, String part) throws PlacementException {
    if (part.isEmpty()) {
      throw refused(name, "has an empty part");
    }
    if (part.equals(".") || part.equals("..")) {
      throw refused(name, "contains \"" + part + "\"");
    }
    if (part.getBytes(StandardCharsets.UTF_8).length > MOST_PART_BYTES) {
      throw refused(name, "has a part longer than " + MOST_PART_BYTES + " bytes");
    }
    if (FinalName.isTemporary(part)) {
      throw refused(name, "is reserved for incomplete files");
    }
    return single(name, part);
  }

  /** Checks a part of the name: a part between slashes may be several names to the file system. */
  private static Path single(String name, String part) throws PlacementException {
    Path path;
    try {
      path = Path.of(part);
    } catch (InvalidPathException e) {
      throw refused(name, unnameable());
    }
    if (path.isAbsolute() || path.getRoot() != null || path.getNameCount() != 1) {
      throw refused(name, "is no name of this file system");
    }
    return path;
  }

  /** A JVM encodes file names by its locale, even if the file system supports more characters. */
  private static String unnameable() {
    String encoding = System.getProperty("sun.jnu.encoding", "");
    return StandardCharsets.UTF_8.name().equals(encoding)
        ? "is no name of this file system"
        : "cannot be written in "
            + encoding
            + ", the encoding of this process' locale; a locale such as C.UTF-8 takes every name";
  }

  private static PlacementException refused(String name, String why) {
    StringBuilder shown = new StringBuilder();
    name.codePoints()
        .limit(MOST_SHOWN)
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .forEach(shown::appendCodePoint);
    String rest = shown.length() < name.length() ? "..." : "";
    return new PlacementException("\"" + shown + rest + "\" " + why);
  }
}
