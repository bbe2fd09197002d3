package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * A stamp that distinguishes one state of a file from the next state, with the precision of the
 * file system's clock. Two changes within one tick, some milliseconds, look like one change.
 *
 * @param changed the time of the last change of the bytes
 * @param sizeBytes the length of the file
 * @param key the identity of the file, if the file system has file keys
 */
record FileStamp(FileTime changed, long sizeBytes, @Nullable Object key) {
  /**
   * Returns the present state of the file of this name.
   *
   * @throws IOException if the file is missing or not a regular file
   */
  static FileStamp of(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw new IOException("not a regular file");
    }
    return new FileStamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
  }
}
