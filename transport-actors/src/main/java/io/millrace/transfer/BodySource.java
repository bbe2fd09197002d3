package io.millrace.transfer;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where the payload of a body comes from. Called by one thread of the application's executor at a
 * time, but for its length, and never by a worker; it may block as that executor allows, and longer
 * if it says that it waits for devices, as with a {@link BodyTarget}. Owned by its transfer, which
 * closes it once, whatever happens. Whatever else a method throws, be it an {@link Error}, ends the
 * transfer as an {@link IOException} does.
 */
public interface BodySource extends AutoCloseable {
  /** Length of a payload that is not known before its end. */
  long UNKNOWN_LENGTH = -1;

  /** As {@link BodyTarget#waitsForDevice}. */
  default boolean waitsForDevice() {
    return false;
  }

  /**
   * Bytes in all, or {@link #UNKNOWN_LENGTH}. Asked for once, ahead of all else; perhaps by the
   * thread that submits the transfer, which it should not hold up. A source that has fewer or more
   * bytes fails its transfer.
   */
  long lengthBytes();

  /**
   * What travels ahead of the payload when it answers a bulk read; asked for once, before the first
   * read. Of a write the headers are the caller's.
   */
  default Headers responseHeaders() {
    return Headers.EMPTY;
  }

  /**
   * The transfer begins. A source that can run dry keeps {@code resume} and runs it, on any thread,
   * when after a read of 0 bytes there is more, or the end.
   */
  default void start(Runnable resume) {}

  /**
   * Reads the next bytes.
   *
   * @return how many; 0 when there are none now; -1 at the end, for which a source of known length
   *     is asked as well
   * @throws IOException the transfer then fails with this message
   */
  int read(byte[] into, int offset, int length) throws IOException;

  /**
   * Lends the next bytes instead of copying them, which counts as having read them. A source whose
   * bytes lie in an array saves a copy of each byte thereby.
   *
   * @param most not more than this many bytes; at least 1
   * @return at least 1 byte, or null: then they must be read
   * @throws IOException the transfer then fails with this message
   */
  default @Nullable LentBytes lend(int most) throws IOException {
    return null;
  }

  /**
   * Releases what the source holds. Called once; before the last bytes leave, so that what it
   * throws then fails the transfer.
   */
  @Override
  void close();
}
