package io.millrace.body;

import io.millrace.buffer.MemoryWaiter;
import io.millrace.buffer.TransferBuffer;
import io.millrace.crypto.DataKey;
import io.millrace.crypto.RecordRange;
import io.millrace.crypto.Records;
import io.millrace.ends.FailureText;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Seals several payloads into one allocation, each with the headers ahead, in a slice and under a
 * data key of its own. Each payload may thereby go to other peers than the rest. No payload leaves
 * before all payloads are sealed. Runs on the executor, one thread at a time; {@link #schedule} is
 * for any thread.
 */
public final class BatchSealer extends SealingTask {
  private static final String OWNER = "batch of sealed payloads";

  /** The receiver of the payloads. Called on the executor: either method, once. */
  public interface Listener {
    /** All payloads are sealed, in their order; the listener holds each. */
    void onSealed(List<SharedPayload> payloads);

    /** No payloads will come; nothing is held. */
    void onFailed(CallOutcome outcome, String text);
  }

  private final List<byte[]> payloads;
  private final byte[] headers;
  private final Protection protection;
  private final Listener listener;
  private boolean started;
  private int[] lengths = {};

  private BatchSealer(
      BodyServices services,
      List<byte[]> payloads,
      byte[] headers,
      Protection protection,
      Listener listener) {
    super(services);
    this.protection = protection;
    this.payloads = payloads;
    this.headers = headers;
    this.listener = listener;
  }

  /**
   * Begins to seal. Any thread may call this.
   *
   * @param payloads not changed before the listener was called
   */
  public static BatchSealer start(
      BodyServices services,
      List<byte[]> payloads,
      byte[] headers,
      Protection protection,
      Listener listener) {
    BatchSealer sealer = new BatchSealer(services, payloads, headers, protection, listener);
    services.begin(sealer);
    sealer.schedule();
    return sealer;
  }

  @Override
  void seal() {
    try {
      if (started || begin()) {
        started = true;
        if (hasMemory()) {
          List<SharedPayload> sealed = sealAll();
          finish();
          listener.onSealed(sealed);
        }
      }
    } catch (RuntimeException e) {
      fail(CallOutcome.SOURCE_FAILED, FailureText.of(e));
    }
  }

  /** Whether memory for the payloads may be allocated. */
  private boolean begin() {
    long sum = 0;
    for (byte[] payload : payloads) {
      sum += headers.length + (long) payload.length;
    }
    if (sum > services().mostBroadcastBytes()) {
      return reserve(sum);
    }
    lengths =
        payloads.stream()
            .mapToInt(payload -> headers.length + payload.length)
            .filter(length -> length > 0)
            .toArray();
    return reserve(lengths.length == 0 ? 0 : services().buffers().batchBytes(lengths));
  }

  @Override
  @Nullable List<TransferBuffer> allocate(@Nullable MemoryWaiter waiter) {
    BodyServices services = services();
    return services
        .buffers()
        .tryAllocateBatch(
            lengths, OWNER, services.broadcasts()::giveBack, services.broadcastBuffers(), waiter);
  }

  private List<SharedPayload> sealAll() {
    BodyServices services = services();
    boolean isCovered = services.settings().coverBroadcasts();
    List<SharedPayload> sealed = new ArrayList<>(payloads.size());
    Iterator<TransferBuffer> next = memory().iterator();
    RecordWorkspace workspace = services.takeWorkspace();
    try {
      for (byte[] payload : payloads) {
        int length = headers.length + payload.length;
        List<TransferBuffer> slice = length == 0 ? List.of() : List.of(next.next());
        DataKey key = length == 0 ? null : seal(workspace, payload, length, slice.getFirst());
        sealed.add(new SharedPayload(slice, key, headers.length, length, isCovered, protection));
      }
    } finally {
      services.putBack(workspace);
    }
    return sealed;
  }

  private DataKey seal(RecordWorkspace workspace, byte[] payload, int length, TransferBuffer into) {
    try (RecordRange nonces = workspace.keys.fresh((int) Records.count(length))) {
      byte[] dataKey = nonces.dataKey();
      into.beginWrite();
      into.bind(dataKey, nonces.firstNonce(), nonces.hold());
      Arrays.fill(dataKey, (byte) 0);
      for (int at = 0; at < length; at += Records.RECORD_BYTES) {
        int count = Math.min(Records.RECORD_BYTES, length - at);
        int ofHeaders = Math.min(headers.length - at, count);
        int secretBytes = protection.secretBytes(headers.length, at, count);
        if (ofHeaders > 0) {
          System.arraycopy(headers, at, workspace.plain, 0, ofHeaders);
          System.arraycopy(payload, 0, workspace.plain, ofHeaders, count - ofHeaders);
          workspace.seal(nonces, workspace.plain, 0, count, secretBytes, into, at);
        } else {
          workspace.seal(nonces, payload, at - headers.length, count, secretBytes, into, at);
        }
      }
      into.fill(length);
      return nonces.key();
    }
  }

  @Override
  void onFailed(CallOutcome outcome, String text) {
    listener.onFailed(outcome, text);
  }
}
