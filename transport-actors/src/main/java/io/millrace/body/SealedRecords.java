package io.millrace.body;

import io.millrace.buffer.TransferBuffer;
import io.millrace.crypto.DataKey;
import io.millrace.ends.Submission;
import io.millrace.transfer.CallOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Sealed bytes of a body on their way from the sealing thread to the worker. Contains a buffer of
 * whole records with the terms of the notification. An object without a buffer only marks the
 * body's end. Owned by the worker once taken.
 */
public final class SealedRecords implements Submission {
  private final OutboundBody body;
  private final @Nullable TransferBuffer buffer;
  private final @Nullable DataKey key;
  private final long position;
  private final boolean isLast;

  SealedRecords(
      OutboundBody body,
      @Nullable TransferBuffer buffer,
      @Nullable DataKey key,
      long position,
      boolean isLast) {
    this.key = key;
    this.body = body;
    this.buffer = buffer;
    this.position = position;
    this.isLast = isLast;
  }

  /** The sealed bytes. */
  public TransferBuffer buffer() {
    TransferBuffer present = buffer;
    if (present == null) {
      throw new IllegalStateException("the part has no records, only the end of the body");
    }
    return present;
  }

  /** The key of the seal; null without records. */
  public @Nullable DataKey key() {
    return key;
  }

  /** The number of bytes; 0 for a mere mark of the end. */
  public int lengthBytes() {
    return buffer == null ? 0 : buffer.lengthBytes();
  }

  /** The position of the first byte in the body. */
  public long position() {
    return position;
  }

  /** Whether the body ends with these records. */
  public boolean isLast() {
    return isLast;
  }

  /** The path is done with the records. */
  public void release() {
    if (buffer != null) {
      buffer.release();
    }
  }

  @Override
  public int priority() {
    return body.terms().level();
  }

  @Override
  public void onTaken(long nowNs) {
    body.onSealed(this);
  }

  @Override
  public void onRefused(CallOutcome outcome, String text) {
    release();
    body.feed().cancel();
  }
}
