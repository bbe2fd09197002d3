package io.millrace.samples.cli;

import io.millrace.api.Peer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.AbstractHistogram;
import org.apache.pekko.stream.Materializer;
import org.jspecify.annotations.Nullable;

/** A slot of streams, one after the other, with all elements verified. */
final class StreamSlot extends LoadSlot {
  private final StreamLoad load;
  private final AtomicLong moved = new AtomicLong();

  StreamSlot(
      LoadPlan plan,
      Peer peer,
      Materializer materializer,
      LoadWindow window,
      AbstractHistogram latencies,
      CountDownLatch running) {
    super(window, latencies, running);
    // Streams run one at a time, so there is a single writer.
    load =
        new StreamLoad(
            plan, peer, materializer, bytes -> moved.setRelease(moved.getPlain() + bytes));
  }

  @Override
  void begin() {
    var _ = load.run().whenComplete(this::onEnd);
  }

  @Override
  long movedBytes() {
    return moved.getAcquire();
  }

  private void onEnd(@Nullable Boolean isRight, @Nullable Throwable failure) {
    if (isRight != null) {
      onAnswer(isRight);
    } else {
      onFailure(failure == null ? "no end" : Sentence.of(failure));
    }
  }
}
