package io.millrace.actor.body;

import io.millrace.actor.submission.FailureText;
import io.millrace.buffer.MemoryWaiter;
import io.millrace.buffer.TransferBuffer;
import io.millrace.crypto.Protection;
import io.millrace.crypto.RecordRange;
import io.millrace.crypto.Records;
import io.millrace.protocol.transfer.CallOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Seals several payloads into one allocation, each with the headers ahead of it, in a slice and
 * under a data key of its own: any of them may go to others than the rest. Nothing of it leaves
 * before all is sealed. Runs on the executor, one thread at a time; {@link #schedule} is for any
 * thread.
 */
public final class BatchSealer extends SealingTask {
  private static final String OWNER = "batch";

  /** Who wants the payloads. Called on the executor, one of the two, once. */
  public interface Listener {
    /** All are sealed, in their order; the listener holds each. */
    void onSealed(List<SharedPayload> payloads);

    /** There will be no payloads; nothing is held. */
    void onFailed(CallOutcome outcome, String text);
  }

  private final BodyServices services;
  private final List<byte[]> payloads;
  private final byte[] headers;
  private final Protection protection;
  private final Listener listener;
  private volatile boolean isNodeOver;
  private boolean started;
  private boolean finished;
  private int reservedBytes;
  private int[] lengths = {};
  private @Nullable List<TransferBuffer> slices;
  private @Nullable MemoryWaiter waiter;

  private BatchSealer(
      BodyServices services,
      List<byte[]> payloads,
      byte[] headers,
      Protection protection,
      Listener listener) {
    super(services.lane());
    this.services = services;
    this.protection = protection;
    this.payloads = payloads;
    this.headers = headers;
    this.listener = listener;
  }

  /**
   * Begins to seal. Any thread.
   *
   * @param payloads not changed before the listener was called
   */
  public static void start(
      BodyServices services,
      List<byte[]> payloads,
      byte[] headers,
      Protection protection,
      Listener listener) {
    BatchSealer sealer = new BatchSealer(services, payloads, headers, protection, listener);
    services.begin(sealer);
    sealer.schedule();
  }

  @Override
  void close() {
    isNodeOver = true;
    schedule();
  }

  @Override
  protected void onRefused() {
    fail(CallOutcome.SOURCE_FAILED, "the executor refuses tasks");
  }

  @Override
  protected void onTurn() {
    if (!finished && isNodeOver) {
      fail(CallOutcome.CLOSED, "the transport was closed");
    }
    if (finished) {
      return;
    }
    try {
      if (!started) {
        begin();
      }
      if (!finished && hasMemory()) {
        finish(sealAll());
      }
    } catch (RuntimeException e) {
      fail(CallOutcome.SOURCE_FAILED, FailureText.of(e));
    }
  }

  private void begin() {
    started = true;
    int most = services.mostBroadcastBytes();
    long sum = 0;
    for (byte[] payload : payloads) {
      sum += headers.length + (long) payload.length;
    }
    if (sum <= most) {
      lengths =
          payloads.stream()
              .mapToInt(payload -> headers.length + payload.length)
              .filter(length -> length > 0)
              .toArray();
      sum = lengths.length == 0 ? 0 : services.buffers().batchBytes(lengths);
    }
    if (sum > most) {
      fail(
          CallOutcome.PAYLOAD_TOO_LARGE,
          "a batch that takes "
              + sum
              + " bytes is more than this node holds for several peers, which is the least of"
              + " millrace.transfers.broadcast-pool and half of"
              + " millrace.transfers.buffer-pool = "
              + most);
    } else if (!services.reserveBroadcast((int) sum)) {
      fail(
          CallOutcome.SUBMISSION_FULL,
          "more bytes are held for several peers than millrace.transfers.broadcast-pool allows");
    } else {
      reservedBytes = (int) sum;
      slices = sum == 0 ? List.of() : null;
    }
  }

  /** Whether there is memory; if not, this task is scheduled when there may be. */
  private boolean hasMemory() {
    while (slices == null) {
      List<TransferBuffer> next =
          services.buffers().tryAllocateBatch(lengths, OWNER, services::giveBackBroadcast);
      if (next != null) {
        slices = next;
        reservedBytes = 0;
        return true;
      }
      if (waiter == null) {
        waiter = services.buffers().rangesWaiter(reservedBytes, this::schedule);
      }
      if (waiter.await()) {
        return false;
      }
    }
    return true;
  }

  private List<SharedPayload> sealAll() {
    List<TransferBuffer> allocated = slices;
    if (allocated == null) {
      throw new IllegalStateException("there is no memory");
    }
    boolean isCovered = services.settings().coverBroadcasts();
    List<SharedPayload> sealed = new ArrayList<>(payloads.size());
    Iterator<TransferBuffer> next = allocated.iterator();
    RecordDesk desk = services.takeDesk();
    try {
      for (byte[] payload : payloads) {
        int length = headers.length + payload.length;
        List<TransferBuffer> slice = length == 0 ? List.of() : List.of(next.next());
        slice.forEach(into -> seal(desk, payload, length, into));
        sealed.add(new SharedPayload(slice, headers.length, length, isCovered, protection));
      }
    } finally {
      services.putBack(desk);
    }
    return sealed;
  }

  private void seal(RecordDesk desk, byte[] payload, int length, TransferBuffer into) {
    try (RecordRange nonces = desk.keys.fresh((int) Records.count(length))) {
      byte[] dataKey = nonces.dataKey();
      into.beginWrite();
      into.bind(dataKey, nonces.firstNonce());
      Arrays.fill(dataKey, (byte) 0);
      for (int at = 0; at < length; at += Records.RECORD_BYTES) {
        int count = Math.min(Records.RECORD_BYTES, length - at);
        int ofHeaders = Math.min(headers.length - at, count);
        int secretBytes = protection.secretBytes(headers.length, at, count);
        if (ofHeaders > 0) {
          System.arraycopy(headers, at, desk.plain, 0, ofHeaders);
          System.arraycopy(payload, 0, desk.plain, ofHeaders, count - ofHeaders);
          desk.seal(nonces, desk.plain, 0, count, secretBytes, into, at);
        } else {
          desk.seal(nonces, payload, at - headers.length, count, secretBytes, into, at);
        }
      }
      into.fill(length);
    }
  }

  private void finish(List<SharedPayload> sealed) {
    slices = null;
    end();
    listener.onSealed(sealed);
  }

  private void fail(CallOutcome outcome, String text) {
    if (!finished) {
      end();
      listener.onFailed(outcome, text);
    }
  }

  private void end() {
    finished = true;
    services.end(this);
    List<TransferBuffer> all = slices;
    slices = null;
    if (all != null) {
      all.forEach(TransferBuffer::release);
    }
    services.giveBackBroadcast(reservedBytes);
    reservedBytes = 0;
    if (waiter != null) {
      waiter.cancel();
    }
  }
}
