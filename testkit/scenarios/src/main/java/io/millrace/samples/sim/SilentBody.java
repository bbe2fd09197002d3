package io.millrace.samples.sim;

import io.millrace.api.TransferOptions;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;

/** Both ends of a transfer without a payload to come; stateless, for any number of transfers. */
final class SilentBody implements BodySource, BodyTarget {
  /** The options of a transfer whose payload does not come. */
  static final TransferOptions WITH_HEADERS = TransferOptions.DEFAULTS.withHeader("n", "");

  private static final SilentBody BODY = new SilentBody();

  /** Yields nothing, and does not end. */
  static final BodySource SOURCE = BODY;

  /** Keeps nothing. */
  static final BodyTarget TARGET = BODY;

  private SilentBody() {}

  /** Source and target both have this method. */
  @Override
  public boolean waitsForDevice() {
    return false;
  }

  @Override
  public void start(Runnable resume) {
    // Nothing will come to resume for.
  }

  @Override
  public long lengthBytes() {
    return UNKNOWN_LENGTH;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    return 0;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    // Nothing comes.
  }

  @Override
  public void complete() {
    // Nothing is kept.
  }

  @Override
  public void abort(Throwable cause) {
    // Nothing is kept.
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
