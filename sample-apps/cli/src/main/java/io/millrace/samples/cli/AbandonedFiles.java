package io.millrace.samples.cli;

import io.millrace.api.bulk.BulkTarget;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the remains of killed copies, while the command goes on. A file that cannot be listed or
 * deleted stays.
 */
final class AbandonedFiles implements AutoCloseable {
  private final Path root;
  private volatile boolean closed;

  private AbandonedFiles(Path root) {
    this.root = root;
  }

  /** Deletes the remains in a directory and below on a thread of its own, once, until closed. */
  static AbandonedFiles removeBelow(Path root) {
    AbandonedFiles files = new AbandonedFiles(root);
    Thread.ofPlatform().daemon().name("millrace-abandoned-files").start(files::walk);
    return files;
  }

  /** Deletes the remains in a single directory, before this method returns. */
  static void remove(Path directory) {
    try {
      BulkTarget.removeAbandoned(directory);
    } catch (IOException e) {
      // Writing a file there does not need a listing of the directory.
      return;
    }
  }

  private void walk() {
    try {
      Files.walkFileTree(root, new Visitor());
    } catch (IOException e) {
      // The visitor ignores all failures.
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  private final class Visitor extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      remove(directory);
      return goOn();
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      return goOn();
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return goOn();
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
      return goOn();
    }

    private FileVisitResult goOn() {
      return closed ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }
  }
}
