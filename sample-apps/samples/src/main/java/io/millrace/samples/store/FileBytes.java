package io.millrace.samples.store;

import io.millrace.api.bulk.BulkSource;
import io.millrace.samples.file.FirstBytes;
import io.millrace.transfer.BodySource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A file of an artifact folder. */
final class FileBytes implements ReplicaBytes {
  private final ArtifactFolder folder;
  private Path file;
  private @Nullable FileChannel channel;

  private FileBytes(ArtifactFolder folder, Path file, @Nullable FileChannel channel) {
    this.folder = folder;
    this.file = file;
    this.channel = channel;
  }

  /** Creates a new file, without a name until its completion. */
  static FileBytes create(ArtifactFolder folder) throws IOException {
    Path part = folder.part();
    return new FileBytes(
        folder,
        part,
        FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  /** Returns a whole file in the folder. */
  static FileBytes existing(ArtifactFolder folder, Path file) {
    return new FileBytes(folder, file, null);
  }

  @Override
  public MemoryKind kind() {
    return MemoryKind.DISK;
  }

  @Override
  public void write(long at, byte[] bytes, int offset, int length) throws IOException {
    FileChannel open = channel;
    if (open == null) {
      throw new IOException("a whole file is not written again");
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
    long position = at;
    while (buffer.hasRemaining()) {
      position += open.write(buffer, position);
    }
  }

  @Override
  public void complete(Manifest manifest) throws IOException {
    FileChannel open = channel;
    if (open != null) {
      open.force(true);
      open.close();
      channel = null;
      file = folder.publish(file, manifest);
    }
  }

  @Override
  public BodySource source(long offset, long length) throws IOException {
    return new FirstBytes(BulkSource.file(file, offset), length);
  }

  @Override
  public void release() {
    try {
      FileChannel open = channel;
      if (open != null) {
        open.close();
      }
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The next opening of the folder deletes unfinished files.
      channel = null;
    }
  }
}
