package io.millrace.samples.cli;

import io.millrace.api.Peer;
import io.millrace.api.UnaryRequest;
import io.millrace.api.UnaryResponse;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.AbstractHistogram;
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
  void call(Peer peer, UnaryRequest request) {
    CompletableFuture<UnaryResponse> future = peer.unary(request);
    var _ = future.whenComplete(this::onEnd);
  }

  private void onEnd(@Nullable UnaryResponse response, @Nullable Throwable failure) {
    if (response != null) {
      onAnswer(Arrays.equals(response.payload(), expected()));
    } else {
      onFailure(failure == null ? "no answer" : Sentence.of(failure));
    }
  }
}
