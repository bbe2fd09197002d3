package io.millrace.samples.cli;

import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.UnaryRequest;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.AbstractHistogram;

/** A slot of unary calls, whose answers must be the request's bytes, different for each call. */
abstract class CallSlot extends LoadSlot {
  private final byte[] payload;
  private final ByteBuffer sequenceField;
  private final UnaryRequest request;
  private final Peer peer;
  private long sequence;

  CallSlot(
      LoadPlan plan,
      Peer peer,
      LoadWindow window,
      AbstractHistogram latencies,
      CountDownLatch running) {
    super(window, latencies, running);
    this.peer = peer;
    payload = new byte[Math.toIntExact(plan.sizeBytes())];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) i;
    }
    sequenceField = ByteBuffer.wrap(payload);
    TransferOptions options = TransferOptions.DEFAULTS.withPriority(plan.priority());
    request = new UnaryRequest(plan.route(), payload, options);
  }

  /** Starts a call whose end is told to {@link #onAnswer} or {@link #onFailure}. */
  abstract void call(Peer peer, UnaryRequest request);

  @Override
  final void begin() {
    sequence++;
    if (payload.length >= Long.BYTES) {
      sequenceField.putLong(0, sequence);
    }
    call(peer, request);
  }

  final byte[] expected() {
    return payload;
  }
}
