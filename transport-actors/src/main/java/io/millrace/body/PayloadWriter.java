package io.millrace.body;

import io.millrace.buffer.MemoryWaiter;
import io.millrace.buffer.TransferBuffer;
import io.millrace.crypto.DataKey;
import io.millrace.crypto.RecordRange;
import io.millrace.crypto.Records;
import io.millrace.ends.FailureText;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A payload written by an application in the memory from which the payload is sent. The memory is
 * allocated first, then written by one thread of the application. The sealing in place begins with
 * the application's word that the memory is filled. Allocates and seals on the executor, one thread
 * at a time.
 */
public final class PayloadWriter extends SealingTask {
  private static final String OWNER = "buffer of the application";

  /** The receiver of the payload. Called on the executor. */
  public interface Listener {
    /** Memory is allocated: the application may write. Called once, unless {@link #onFailed} is. */
    void onAllocated();

    /** All filled bytes are sealed; the listener holds the payload. */
    void onSealed(SharedPayload payload);

    /** No payload will come; nothing is held. */
    void onFailed(CallOutcome outcome, String text);
  }

  private final byte[] headers;
  private final int payloadBytes;
  private final Protection protection;
  private final Listener listener;
  private boolean isBegun;
  private boolean isAllocated;

  private List<TransferBuffer> ranges = List.of();
  private volatile int filledBytes = -1;

  private PayloadWriter(
      BodyServices services,
      byte[] headers,
      int payloadBytes,
      Protection protection,
      Listener listener) {
    super(services);
    this.headers = headers;
    this.payloadBytes = payloadBytes;
    this.protection = protection;
    this.listener = listener;
  }

  /**
   * Begins to allocate. Any thread may call this.
   *
   * @param headers travel ahead of the payload
   * @param payloadBytes the most bytes to write
   */
  public static PayloadWriter start(
      BodyServices services,
      byte[] headers,
      int payloadBytes,
      Protection protection,
      Listener listener) {
    PayloadWriter writer = new PayloadWriter(services, headers, payloadBytes, protection, listener);
    services.begin(writer);
    writer.schedule();
    return writer;
  }

  /**
   * Writes bytes of the payload; by one thread, after {@code onAllocated} and before {@link #fill}.
   *
   * @param at the offset in the payload
   * @throws IllegalStateException if the payload was filled, given up, or the node was closed
   */
  public void put(int at, byte[] from, int offset, int length) {
    if (filledBytes >= 0) {
      throw noMore();
    }
    copy(at, from, offset, length);
  }

  private void copy(int at, byte[] from, int offset, int length) {
    int done = 0;
    while (done < length) {
      int position = headers.length + at + done;
      int within = position % RANGE_BYTES;
      int step = Math.min(length - done, RANGE_BYTES - within);
      copy(ranges.get(position / RANGE_BYTES), within, from, offset + done, step);
      done += step;
    }
  }

  /**
   * Held during the writing, so that the memory is not freed under its writer at the node's end.
   */
  private static void copy(TransferBuffer range, int at, byte[] from, int offset, int length) {
    if (!range.tryRetain()) {
      throw noMore();
    }
    try {
      range.putBytes(at, from, offset, length);
    } finally {
      range.release();
    }
  }

  private static IllegalStateException noMore() {
    return new IllegalStateException("the buffer is not written any more");
  }

  /**
   * The payload is whole with this number of bytes: seals the bytes.
   *
   * @throws IllegalStateException if the payload was filled already
   */
  public void fill(int writtenBytes) {
    if (filledBytes >= 0) {
      throw new IllegalStateException("the buffer was filled already");
    }
    filledBytes = writtenBytes;
    schedule();
  }

  @Override
  void seal() {
    try {
      if (!isAllocated) {
        allocateAll();
      } else if (filledBytes >= 0) {
        sealAll(headers.length + filledBytes);
      }
    } catch (RuntimeException e) {
      fail(CallOutcome.SOURCE_FAILED, FailureText.of(e));
    }
  }

  private void allocateAll() {
    if (!isBegun) {
      isBegun = true;
      if (!reserve((long) headers.length + payloadBytes)) {
        return;
      }
    }
    if (hasMemory()) {
      isAllocated = true;
      ranges = memory();
      ranges.forEach(TransferBuffer::beginWrite);
      copy(-headers.length, headers, 0, headers.length);
      listener.onAllocated();
    }
  }

  @Override
  @Nullable List<TransferBuffer> allocate(@Nullable MemoryWaiter waiter) {
    return allocateRanges(headers.length + payloadBytes, OWNER, waiter);
  }

  private void sealAll(int bodyBytes) {
    int used = (bodyBytes + RANGE_BYTES - 1) / RANGE_BYTES;
    DataKey key = used == 0 ? null : sealRecords(ranges.subList(0, used), bodyBytes);
    SharedPayload sealed =
        new SharedPayload(
            List.copyOf(ranges.subList(0, used)),
            key,
            headers.length,
            bodyBytes,
            services().settings().coverBroadcasts(),
            protection);
    finish();
    ranges.subList(used, ranges.size()).forEach(TransferBuffer::release);
    listener.onSealed(sealed);
  }

  private DataKey sealRecords(List<TransferBuffer> used, int bodyBytes) {
    RecordWorkspace workspace = services().takeWorkspace();
    DataKey key;
    try (RecordRange nonces = bind(workspace, used, bodyBytes)) {
      key = nonces.key();
      for (int at = 0; at < bodyBytes; at += Records.RECORD_BYTES) {
        int length = Math.min(Records.RECORD_BYTES, bodyBytes - at);
        TransferBuffer range = used.get(at / RANGE_BYTES);
        range.getBytes(at % RANGE_BYTES, workspace.plain, 0, length);
        int secretBytes = protection.secretBytes(headers.length, at, length);
        workspace.seal(nonces, workspace.plain, 0, length, secretBytes, range, at % RANGE_BYTES);
      }
    } finally {
      services().putBack(workspace);
    }
    for (int i = 0; i < used.size(); i++) {
      used.get(i).fill(Math.min(RANGE_BYTES, bodyBytes - i * RANGE_BYTES));
    }
    return key;
  }

  @Override
  void onFailed(CallOutcome outcome, String text) {
    listener.onFailed(outcome, text);
  }
}
