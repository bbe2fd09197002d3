package io.millrace.api;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.AsPublisher;
import org.apache.pekko.stream.javadsl.JavaFlowSupport;
import org.apache.pekko.stream.javadsl.Source;

/** A source as a publisher: each subscription runs one once. Any thread. */
final class FlowPublisher<T> implements Flow.Publisher<T> {
  private static final Flow.Subscription NONE =
      new Flow.Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
      };

  private final Supplier<Source<T, ?>> sources;
  private final Materializer materializer;

  FlowPublisher(Source<T, ?> source, Materializer materializer) {
    this(() -> source, materializer);
  }

  /** Each subscription runs a source of its own. */
  FlowPublisher(Supplier<Source<T, ?>> sources, Materializer materializer) {
    this.sources = sources;
    this.materializer = materializer;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super T> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    Flow.Publisher<T> once;
    try {
      once =
          sources
              .get()
              .runWith(
                  JavaFlowSupport.Sink.<T>asPublisher(AsPublisher.WITHOUT_FANOUT), materializer);
    } catch (RuntimeException e) {
      subscriber.onSubscribe(NONE);
      subscriber.onError(e);
      return;
    }
    once.subscribe(subscriber);
  }
}
