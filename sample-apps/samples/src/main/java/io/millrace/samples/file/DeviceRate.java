package io.millrace.samples.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/**
 * The rate of one thread that only reads or writes a file, in blocks of 1 MiB: the upper bound of a
 * copy. The page cache takes part, as for the copy.
 */
public final class DeviceRate {
  private static final int BLOCK_BYTES = 1 << 20;

  private DeviceRate() {}

  /**
   * Returns the bytes per second of a read of the file's first bytes; 0 for an empty file.
   *
   * @throws IOException if the file cannot be read
   */
  public static double ofReading(Path file, long mostBytes) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    long bytes = 0;
    long startNs = System.nanoTime();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      int read = 0;
      while (read >= 0 && bytes < mostBytes) {
        bytes += read;
        block.clear();
        read = channel.read(block);
      }
    }
    return perSecond(bytes, startNs);
  }

  /**
   * Returns the bytes per second of a write of a new file, which is gone afterwards: the file loses
   * its name before the first byte, so that no end of the process leaves the file behind.
   *
   * @param force whether the rate includes the time until the device has all bytes
   * @throws IOException if the directory cannot be written, or has no room for the bytes
   */
  public static double ofWriting(Path directory, long bytes, boolean force) throws IOException {
    byte[] random = new byte[BLOCK_BYTES];
    new SplittableRandom(BLOCK_BYTES).nextBytes(random);
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES).put(random);
    Path file = Files.createTempFile(directory, ".rate", ".part");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      Files.delete(file);
      long startNs = System.nanoTime();
      long left = bytes;
      while (left > 0) {
        block.position(0).limit((int) Math.min(left, BLOCK_BYTES));
        while (block.hasRemaining()) {
          left -= channel.write(block);
        }
      }
      if (force) {
        channel.force(true);
      }
      return perSecond(bytes, startNs);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static double perSecond(long bytes, long startNs) {
    return bytes * 1e9 / Math.max(1, System.nanoTime() - startNs);
  }
}
