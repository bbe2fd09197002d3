package io.millrace.samples.cli;

import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.AbstractHistogram;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** A slot whose calls complete as futures on the executor. */
final class FutureSlot extends CallSlot {
  FutureSlot(
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
    var _ = peer.unary(route, request, options).whenComplete(this::onEnd);
  }

  private void onEnd(@Nullable ByteString response, @Nullable Throwable failure) {
    if (response != null) {
      onAnswer(Arrays.equals(response.toArrayUnsafe(), expected()));
    } else {
      onFailure(failure == null ? "no answer" : Sentence.of(failure));
    }
  }
}
