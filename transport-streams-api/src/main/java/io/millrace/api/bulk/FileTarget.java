package io.millrace.api.bulk;

import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.nio.file.Path;

/** Writes a file, which is either complete under its name or absent. */
final class FileTarget implements BodyTarget {
  private final PartFile part;

  FileTarget(PartFile part) {
    this.part = part;
  }

  static FileTarget open(Path file, FileOptions options) throws IOException {
    FinalName name = FinalName.check(file, options.replace());
    try {
      LiveParts.Created made = LiveParts.create(name);
      return new FileTarget(
          new PartFile(name, made.part(), made.channel(), options, NameForcing::open, 0));
    } catch (IOException e) {
      throw FileFailure.of("write", name.path(), e);
    }
  }

  @Override
  public boolean waitsForDevice() {
    return true;
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
