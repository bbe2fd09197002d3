package io.millrace.transfer;

import java.io.IOException;

/**
 * Where the verified payload of a body goes, in order. At a time a single thread of the
 * application's executor calls the target, never a worker. The target may block as the executor
 * allows, which holds back the sender of this body and no other sender. The node's own threads call
 * a target that says that it waits for devices, and such a target may block without a limit:
 * handlers and other bodies go on. Exactly one of {@link #complete} and {@link #abort} is called,
 * once, and no method after this call. Any other exception of a method, be it an {@link Error},
 * ends the transfer as an {@link IOException} does; from {@link #abort} an exception changes
 * nothing.
 */
public interface BodyTarget {
  /**
   * Whether the target may wait for a device, as files do, so that one of {@code
   * millrace.limits.device-threads} threads calls the target and not the application's executor.
   * Constant.
   */
  default boolean waitsForDevice() {
    return false;
  }

  /**
   * The transfer begins. A target that can be full keeps {@code resume} and runs {@code resume}, on
   * any thread, when {@link #isReady} has become true.
   */
  default void start(Runnable resume) {}

  /** Whether the next {@link #write} is welcome; if not, no write is made until {@code resume}. */
  default boolean isReady() {
    return true;
  }

  /**
   * Whether the bytes still to come are unwanted: the transfer then fails, even while no bytes
   * come. A target that can become cancelled runs {@code resume} at this moment.
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
   * All bytes were written and verified: makes the bytes visible.
   *
   * @throws IOException the transfer then fails with this message; {@link #abort} does not follow
   */
  void complete() throws IOException;

  /**
   * Returns the headers of the answer to a bulk write that ended here; asked for once, after {@link
   * #complete} has returned, so that the headers can tell of the stored bytes. An exception of this
   * method fails the transfer at the sender, though not here.
   */
  default Headers receiptHeaders() {
    return Headers.EMPTY;
  }

  /** The transfer failed: nothing torn may remain. */
  void abort(Throwable cause);
}
