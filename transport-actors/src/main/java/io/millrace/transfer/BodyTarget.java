package io.millrace.transfer;

import java.io.IOException;

/**
 * Where the verified payload of a body goes, in order. Called by one thread of the application's
 * executor at a time, never by a worker; it may block as that executor allows, which holds back the
 * sender of this body and nobody else. One that says that it waits for devices is called by the
 * node's own threads for that, and may block as long as it likes: handlers and other bodies go on.
 * Exactly one of {@link #complete} and {@link #abort} is called, once, and nothing after it.
 * Whatever else a method throws, be it an {@link Error}, ends the transfer as an {@link
 * IOException} does; from {@link #abort} it changes nothing.
 */
public interface BodyTarget {
  /**
   * Whether it may wait for a device, as files do, so that it is called by one of {@code
   * millrace.limits.device-threads} threads and not on the application's executor. Constant.
   */
  default boolean waitsForDevice() {
    return false;
  }

  /**
   * The transfer begins. A target that can be full keeps {@code resume} and runs it, on any thread,
   * when {@link #isReady} has become true.
   */
  default void start(Runnable resume) {}

  /** Whether the next {@link #write} is welcome; if not, none is made until {@code resume}. */
  default boolean isReady() {
    return true;
  }

  /**
   * Whether the bytes that are still to come are unwanted: the transfer then fails, even while none
   * come. A target of which this can become true runs {@code resume} when it does.
   */
  default boolean isCancelled() {
    return false;
  }

  /**
   * Takes the next bytes, all of them; the array is the caller's again afterwards.
   *
   * @throws IOException the transfer then fails with this message, and {@link #abort} follows
   */
  void write(byte[] bytes, int offset, int length) throws IOException;

  /**
   * All bytes were written and verified: make them visible.
   *
   * @throws IOException the transfer then fails with this message; {@link #abort} does not follow
   */
  void complete() throws IOException;

  /**
   * Headers of the answer to a bulk write that ended here; asked for once, after {@link #complete}
   * has returned, so that they can tell of what was stored. What this throws fails the transfer at
   * its sender, though not here.
   */
  default Headers receiptHeaders() {
    return Headers.EMPTY;
  }

  /** The transfer failed: nothing torn may remain. */
  void abort(Throwable cause);
}
