package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * What tells one state of a file from the next, as finely as its file system keeps times: two
 * changes within one of its ticks, some milliseconds, look like one.
 *
 * @param changed when its bytes were changed for the last time
 * @param sizeBytes its length
 * @param key which file it is, where the file system tells
 */
record FileStamp(FileTime changed, long sizeBytes, @Nullable Object key) {
  /**
   * The state that the file of this name has now.
   *
   * @throws IOException if it is missing or not a regular file
   */
  static FileStamp of(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw new IOException("not a regular file");
    }
    return new FileStamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
  }
}
