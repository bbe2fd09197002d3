package io.millrace.tree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files of this repository: the files that git tracks or would track, or, outside a clone, all
 * files but build output. Read once per JVM.
 */
final class SourceTree {
  private static final Set<String> PASSED_OVER = Set.of("target", ".git", ".local", ".idea");
  private static final SourceTree THIS = new SourceTree(findRoot());

  private final Path root;
  private final List<SourceFile> files;

  private SourceTree(Path root) {
    this.root = root;
    this.files = read(root, listed(root));
  }

  /** The tree that this test runs in. */
  static SourceTree current() {
    return THIS;
  }

  Path root() {
    return root;
  }

  /** Every text file, in the order of their paths. */
  List<SourceFile> files() {
    return files;
  }

  /** The Java files among the text files. */
  List<SourceFile> javaFiles() {
    return files.stream().filter(SourceFile::isJava).toList();
  }

  /** The file of this path, if the file is part of the tree. */
  Optional<SourceFile> file(String path) {
    return files.stream().filter(file -> file.path().equals(path)).findFirst();
  }

  private static Path findRoot() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(directory.resolve(".mvn"))) {
      directory = Optional.ofNullable(directory.getParent()).orElseThrow();
    }
    return directory;
  }

  private static List<String> listed(Path root) {
    List<String> tracked = trackedByGit(root);
    return tracked.isEmpty() ? walked(root) : tracked;
  }

  private static List<String> trackedByGit(Path root) {
    try {
      Process git =
          new ProcessBuilder("git", "ls-files", "--cached", "--others", "--exclude-standard")
              .directory(root.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (Stream<String> lines = git.inputReader().lines()) {
        List<String> paths = lines.distinct().toList();
        return git.waitFor() == 0 ? paths : List.of();
      }
    } catch (IOException e) {
      return List.of();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while git listed the files", e);
    }
  }

  private static List<String> walked(Path root) {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths
          .map(root::relativize)
          .filter(path -> !isPassedOver(path))
          .map(path -> path.toString().replace('\\', '/'))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isPassedOver(Path path) {
    for (Path name : path) {
      if (PASSED_OVER.contains(name.toString())) {
        return true;
      }
    }
    return false;
  }

  private static List<SourceFile> read(Path root, List<String> paths) {
    List<SourceFile> files = new ArrayList<>();
    for (String path : paths.stream().sorted().toList()) {
      Path file = root.resolve(path);
      if (Files.isRegularFile(file)) {
        textOf(file).ifPresent(text -> files.add(new SourceFile(path, text)));
      }
    }
    return List.copyOf(files);
  }

  private static Optional<String> textOf(Path file) {
    try {
      return Optional.of(Files.readString(file));
    } catch (MalformedInputException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
