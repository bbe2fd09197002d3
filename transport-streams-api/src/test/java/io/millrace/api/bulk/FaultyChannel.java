package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file on a device that is full after a number of bytes, and cannot be forced. */
final class FaultyChannel extends FileChannel {
  private final FileChannel real;
  private long roomBytes;
  private final boolean isForceable;
  private Closing closing = () -> {};

  /** An action right after the close of the file. */
  @FunctionalInterface
  interface Closing {
    void run() throws IOException;
  }

  FaultyChannel(FileChannel real, long roomBytes, boolean isForceable) {
    this.real = real;
    this.roomBytes = roomBytes;
    this.isForceable = isForceable;
  }

  void makeRoom(long moreBytes) {
    roomBytes += moreBytes;
  }

  /** Sets an additional action of the first close. */
  void onClose(Closing also) {
    closing = also;
  }

  @Override
  public int write(ByteBuffer bytes, long position) throws IOException {
    if (roomBytes == 0) {
      throw new IOException("No space left on device");
    }
    int count = (int) Math.min(roomBytes, bytes.remaining());
    int written = real.write(bytes.slice(bytes.position(), count), position);
    bytes.position(bytes.position() + written);
    roomBytes -= written;
    return written;
  }

  @Override
  public void force(boolean metadata) throws IOException {
    if (!isForceable) {
      throw new IOException("Input/output error");
    }
    real.force(metadata);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    real.close();
    closing.run();
  }

  @Override
  public long size() throws IOException {
    return real.size();
  }

  @Override
  public int read(ByteBuffer into, long position) throws IOException {
    if (position >= roomBytes) {
      throw new IOException("Input/output error");
    }
    return real.read(into, position);
  }

  @Override
  public int read(ByteBuffer into) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(ByteBuffer bytes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] bytes, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long position() {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileChannel position(long position) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileChannel truncate(long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }
}
