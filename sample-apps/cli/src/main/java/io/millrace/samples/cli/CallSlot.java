package io.millrace.samples.cli;

import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.AbstractHistogram;
import org.apache.pekko.util.ByteString;

/** A slot of unary calls; an answer must have the request's bytes, different for each call. */
abstract class CallSlot extends LoadSlot {
  private final byte[] payload;
  private final ByteBuffer sequenceField;
  private final ByteString request;
  private final Route<ByteString, ByteString> route;
  private final TransferOptions options;
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
    // Bytes of the array, which change only while no call is under way.
    request = ByteString.fromArrayUnsafe(payload);
    route = plan.route();
    options = TransferOptions.DEFAULTS.withPriority(plan.priority());
  }

  /** Starts a call; its end is told to {@link #onAnswer} or {@link #onFailure}. */
  abstract void call(
      Peer peer, Route<ByteString, ByteString> route, ByteString request, TransferOptions options);

  @Override
  final void begin() {
    sequence++;
    if (payload.length >= Long.BYTES) {
      sequenceField.putLong(0, sequence);
    }
    call(peer, route, request, options);
  }

  final byte[] expected() {
    return payload;
  }
}
