package io.millrace.api.bulk;

import io.millrace.actor.body.BodyTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** Writes a file that is either whole under its name, or not there at all. */
final class FileTarget implements BodyTarget {
  private final PartFile part;

  FileTarget(PartFile part) {
    this.part = part;
  }

  static FileTarget open(Path file, FileOptions options) throws IOException {
    FinalName name = FinalName.check(file, options.replace());
    String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    Path part = name.temporary(random + ".part");
    ByteBuffer buffer = PartFile.newBuffer();
    try {
      FileChannel channel =
          FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      return new FileTarget(new PartFile(name, part, channel, options, buffer, 0));
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    part.append(bytes, offset, length);
  }

  @Override
  public void complete() throws IOException {
    try {
      part.publish();
    } catch (IOException e) {
      part.discard(e);
      throw e;
    }
  }

  @Override
  public void abort(Throwable cause) {
    part.discard(cause);
  }
}
