package io.millrace.samples.store;

import io.millrace.api.bulk.BulkTarget;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.nio.file.Path;

/** A file that appears under its name after a check of each chunk. */
final class VerifiedFile implements BodyTarget {
  private final BodyTarget file;
  private final ArrivingBytes arriving;
  private final ArrivingBytes.Arrival arrival;

  VerifiedFile(Manifest manifest, Path to) throws IOException {
    file = BulkTarget.file(to);
    arriving = new ArrivingBytes(manifest, new InOrder(file));
    arrival = arriving.begin();
  }

  /** Returns the number of bytes so far; any thread. */
  long arrived() {
    return arriving.arrived();
  }

  @Override
  public boolean waitsForDevice() {
    return true;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    arrival.write(bytes, offset, length);
  }

  @Override
  public void complete() throws IOException {
    if (!arriving.isComplete()) {
      StoreException failure = new StoreException("the daemon gave too few bytes");
      file.abort(failure);
      throw failure;
    }
    file.complete();
  }

  @Override
  public void abort(Throwable cause) {
    file.abort(cause);
  }

  /** Bytes arrive in order, so their place is the end of the file. */
  private record InOrder(BodyTarget file) implements ReplicaBytes {
    @Override
    public MemoryKind kind() {
      return MemoryKind.DISK;
    }

    @Override
    public void write(long at, byte[] bytes, int offset, int length) throws IOException {
      file.write(bytes, offset, length);
    }

    @Override
    public void complete(Manifest manifest) {
      throw new UnsupportedOperationException("the file is completed by its transfer");
    }

    @Override
    public BodySource source(long offset, long length) {
      throw new UnsupportedOperationException("the file is only written");
    }

    @Override
    public void release() {
      throw new UnsupportedOperationException("the file is aborted by its transfer");
    }
  }
}
