package io.millrace.api;

import io.millrace.body.PayloadWriter;
import io.millrace.body.SharedPayload;
import io.millrace.buffer.DropWatch;
import io.millrace.transfer.CallOutcome;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;

/**
 * Memory of the node, which an application writes and hands to transfers without a copy in between;
 * created by {@link Transport#allocate}. One thread writes, then calls {@link #fill}. The node then
 * seals the written bytes in place, once, as a {@link SealedPayload} for any number of transfers.
 * Close an unfilled buffer to give its memory back.
 */
public final class PayloadBuffer implements AutoCloseable {
  private final int capacityBytes;
  private final CompletableFuture<SealedPayload> sealed = new CompletableFuture<>();
  private final PayloadWriter writer;
  private int length;

  private PayloadBuffer(int capacityBytes, PayloadWriter writer) {
    this.capacityBytes = capacityBytes;
    this.writer = writer;
  }

  /** Returns the capacity in bytes. */
  public int capacityBytes() {
    return capacityBytes;
  }

  /** Returns the number of bytes written so far. */
  public int length() {
    return length;
  }

  /**
   * Appends bytes to the payload.
   *
   * @throws IndexOutOfBoundsException if the bytes do not fit
   * @throws IllegalStateException if the buffer was filled or closed
   */
  public PayloadBuffer put(ByteString bytes) {
    byte[] array = Objects.requireNonNull(bytes, "bytes").toArrayUnsafe();
    return put(array, 0, array.length);
  }

  /**
   * Appends bytes of an array to the payload.
   *
   * @throws IndexOutOfBoundsException if the bytes do not fit, or are not in the array
   * @throws IllegalStateException if the buffer was filled or closed
   */
  public PayloadBuffer put(byte[] from, int offset, int bytes) {
    Objects.checkFromIndexSize(offset, bytes, Objects.requireNonNull(from, "from").length);
    Objects.checkFromIndexSize(length, bytes, capacityBytes);
    writer.put(length, from, offset, bytes);
    length += bytes;
    return this;
  }

  /**
   * Ends the writing and seals the written bytes. The future completes on the transport's executor,
   * and fails with {@link CallException} if the node is closed first. The receiver of the payload
   * closes the payload; the memory goes back after the close, when the last transfer of the payload
   * has ended.
   *
   * @throws IllegalStateException if the buffer was filled already
   */
  public CompletableFuture<SealedPayload> fill() {
    writer.fill(length);
    return sealed;
  }

  /** Gives the memory back, unless the buffer was filled. Idempotent. */
  @Override
  public void close() {
    writer.cancel();
  }

  /** Completes the futures of the memory and, later, of the payload. */
  static final class Listener implements PayloadWriter.Listener {
    private final int capacityBytes;
    private final DropWatch drops;
    private final CompletableFuture<PayloadBuffer> allocated = new CompletableFuture<>();
    private final CompletableFuture<PayloadWriter> begun = new CompletableFuture<>();

    Listener(int capacityBytes, DropWatch drops) {
      this.capacityBytes = capacityBytes;
      this.drops = drops;
    }

    /**
     * Returns the future of the writer's buffer; the writer may have called this listener already.
     */
    CompletableFuture<PayloadBuffer> of(PayloadWriter writer) {
      begun.complete(writer);
      var _ =
          allocated.whenComplete(
              (buffer, failure) -> {
                if (failure != null) {
                  writer.cancel();
                }
              });
      return allocated;
    }

    @Override
    public void onAllocated() {
      var _ =
          begun.thenAccept(
              writer -> {
                PayloadBuffer buffer = new PayloadBuffer(capacityBytes, writer);
                if (!allocated.complete(buffer)) {
                  writer.cancel();
                }
              });
    }

    @Override
    public void onSealed(SharedPayload payload) {
      SealedPayload sealed = SealedPayload.of(payload, drops);
      if (!allocated.resultNow().sealed.complete(sealed)) {
        sealed.close();
      }
    }

    @Override
    public void onFailed(CallOutcome outcome, String text) {
      CallException failure = new CallException(outcome, text);
      if (!allocated.completeExceptionally(failure) && !allocated.isCompletedExceptionally()) {
        allocated.resultNow().sealed.completeExceptionally(failure);
      }
    }
  }
}
