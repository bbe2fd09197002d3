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
 * Deletes what copies left that were killed, while the command goes on. What cannot be listed or
 * deleted stays.
 */
final class AbandonedFiles implements AutoCloseable {
  private final Path root;
  private volatile boolean closed;

  private AbandonedFiles(Path root) {
    this.root = root;
  }

  /** Deletes those in a directory and below it on a thread of its own, once, until it is closed. */
  static AbandonedFiles removeBelow(Path root) {
    AbandonedFiles files = new AbandonedFiles(root);
    Thread.ofPlatform().daemon().name("millrace-abandoned-files").start(files::walk);
    return files;
  }

  /** Deletes those in one directory, before this returns. */
  static void remove(Path directory) {
    try {
      BulkTarget.removeAbandoned(directory);
    } catch (IOException e) {
      // To write a file there it need not be listed.
      return;
    }
  }

  private void walk() {
    try {
      Files.walkFileTree(root, new Visitor());
    } catch (IOException e) {
      // The visitor takes no offence at anything.
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
