package io.millrace.samples.cli;

import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.WorkerCompletion;
import io.millrace.memory.SegmentBuffer;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.AbstractHistogram;
import org.agrona.DirectBuffer;
import org.apache.pekko.util.ByteString;

/** A slot whose calls complete on the worker's thread. */
final class InlineSlot extends CallSlot implements WorkerCompletion {
  private final SegmentBuffer expected = new SegmentBuffer(expected());

  InlineSlot(
      LoadPlan plan,
      Peer peer,
      LoadWindow window,
      AbstractHistogram latencies,
      CountDownLatch running) {
    super(plan, peer, window, latencies, running);
  }

  @Override
  void call(
      Peer peer, Route<ByteString, ByteString> route, ByteString request, TransferOptions options) {
    peer.unaryOnWorker(route, request, options, this);
  }

  @Override
  public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {
    onAnswer(isExpected(buffer, payloadOffset, payloadLength));
  }

  @Override
  public void onFailure(CallException failure) {
    onFailure(Sentence.of(failure));
  }

  private boolean isExpected(DirectBuffer buffer, int offset, int length) {
    if (length != expected.capacity()) {
      return false;
    }
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      if (buffer.getLong(offset + i) != expected.getLong(i)) {
        return false;
      }
    }
    for (; i < length; i++) {
      if (buffer.getByte(offset + i) != expected.getByte(i)) {
        return false;
      }
    }
    return true;
  }
}
