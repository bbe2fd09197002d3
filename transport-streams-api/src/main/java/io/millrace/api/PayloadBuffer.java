package io.millrace.api;

import io.millrace.body.PayloadWriter;
import io.millrace.body.SharedPayload;
import io.millrace.buffer.DropWatch;
import io.millrace.transfer.CallOutcome;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;

/**
 * Memory of the node that an application writes and hands to transfers, without a copy between;
 * made by {@link Transport#allocate}. One thread writes; when it calls {@link #fill}, what was
 * written is sealed where it lies, once, and becomes a {@link SealedPayload}, which any number of
 * transfers may carry. Close one that is not filled: its memory goes back.
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

  /** Bytes that fit in. */
  public int capacityBytes() {
    return capacityBytes;
  }

  /** Bytes written so far. */
  public int length() {
    return length;
  }

  /**
   * Appends bytes.
   *
   * @throws IndexOutOfBoundsException if they do not fit
   * @throws IllegalStateException if it was filled or closed
   */
  public PayloadBuffer put(ByteString bytes) {
    byte[] array = bytes.toArrayUnsafe();
    return put(array, 0, array.length);
  }

  /**
   * Appends bytes of an array.
   *
   * @throws IndexOutOfBoundsException if they do not fit, or are not in the array
   * @throws IllegalStateException if it was filled or closed
   */
  public PayloadBuffer put(byte[] from, int offset, int bytes) {
    Objects.checkFromIndexSize(offset, bytes, from.length);
    Objects.checkFromIndexSize(length, bytes, capacityBytes);
    writer.put(length, from, offset, bytes);
    length += bytes;
    return this;
  }

  /**
   * Nothing more is written: seals what there is. The future completes on the transport's executor,
   * and fails with {@link CallException} if the node is closed first. Who gets the payload closes
   * it; memory goes back after that, when the last transfer that carries it has ended.
   *
   * @throws IllegalStateException if it was filled already
   */
  public CompletableFuture<SealedPayload> fill() {
    writer.fill(length);
    return sealed;
  }

  /** Gives the memory back unless it was filled. Idempotent. */
  @Override
  public void close() {
    writer.cancel();
  }

  /** Tells of the memory, and later of the payload. */
  static final class Listener implements PayloadWriter.Listener {
    private final int capacityBytes;
    private final DropWatch drops;
    private final CompletableFuture<PayloadBuffer> allocated = new CompletableFuture<>();
    private final CompletableFuture<PayloadWriter> begun = new CompletableFuture<>();

    Listener(int capacityBytes, DropWatch drops) {
      this.capacityBytes = capacityBytes;
      this.drops = drops;
    }

    /** The writer, which may have called this already. */
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
