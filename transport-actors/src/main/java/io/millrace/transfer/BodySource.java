package io.millrace.transfer;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The source of the payload of a body. At a time a single thread of the application's executor
 * calls the source, but for its length, and never a worker. The source may block as the executor
 * allows, and longer if the source says that it waits for devices, as with a {@link BodyTarget}.
 * The transfer owns the source and closes it once, on every outcome. Any other exception of a
 * method, be it an {@link Error}, ends the transfer as an {@link IOException} does.
 */
public interface BodySource extends AutoCloseable {
  /** The length of a payload that is not known before the payload's end. */
  long UNKNOWN_LENGTH = -1;

  /** The same question as {@link BodyTarget#waitsForDevice}. */
  default boolean waitsForDevice() {
    return false;
  }

  /**
   * Bytes in all, or {@link #UNKNOWN_LENGTH}. The length is asked for once, ahead of all else;
   * perhaps by the thread that submits the transfer, and the source should not hold this thread up.
   * A source with fewer or more bytes fails its transfer.
   */
  long lengthBytes();

  /**
   * Returns the headers that travel ahead of the payload of an answer to a bulk read; asked for
   * once, before the first read. The headers of a write are the caller's.
   */
  default Headers responseHeaders() {
    return Headers.EMPTY;
  }

  /**
   * The transfer begins. A source that can run dry keeps {@code resume}, and runs {@code resume},
   * on any thread, when more bytes or the end follow a read of 0 bytes.
   */
  default void start(Runnable resume) {}

  /**
   * Reads the next bytes.
   *
   * @return the number of bytes read; 0 when the source has no bytes now; -1 at the end, for which
   *     a source of known length is asked as well
   * @throws IOException the transfer then fails with this message
   */
  int read(byte[] into, int offset, int length) throws IOException;

  /**
   * Lends the next bytes instead of copying them, which counts as a read of these bytes. A source
   * whose bytes lie in an array saves a copy of each byte thereby.
   *
   * @param most not more than this many bytes; at least 1
   * @return at least 1 byte, or null: then the bytes must be read
   * @throws IOException the transfer then fails with this message
   */
  default @Nullable LentBytes lend(int most) throws IOException {
    return null;
  }

  /**
   * Releases the resources of the source. Called once, before the last bytes leave, so that an
   * exception of this method still fails the transfer.
   */
  @Override
  void close();
}
