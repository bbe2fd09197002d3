package io.millrace.api.blocking;

import io.millrace.transfer.Headers;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/**
 * The elements of one stream, for a loop:
 *
 * <pre>{@code
 * try (Rows<Row> rows = peer.scan(route, request)) {
 *   for (Row row : rows) {
 *     ...
 *   }
 * }
 * }</pre>
 *
 * <p>The loop waits for each element, and the sender waits for the loop: beside the window {@code
 * millrace.streams.window} of the stream, at most 16 decoded elements are ahead of the loop. The
 * iterator throws {@link io.millrace.api.CallException} after the elements that came ahead of the
 * failure. An interrupt of the waiting thread cancels the stream, and the iterator throws with
 * {@code CANCELLED}; the thread is still interrupted then.
 *
 * <p>Rows that are neither read to their end nor closed hold the stream open, with these elements,
 * until the deadline of the stream or the end of the transport: {@code WorkerSnapshot} counts such
 * a stream among the open streams. One thread at a time reads; any thread closes.
 *
 * @param <R> the elements
 */
public final class Rows<R> implements Iterable<R>, AutoCloseable {
  private final Arrivals<R> arrivals;
  private final CompletionStage<Headers> headers;
  private boolean isIterated;

  Rows(Arrivals<R> arrivals, CompletionStage<Headers> headers) {
    this.arrivals = arrivals;
    this.headers = headers;
  }

  /** Runs a stream, and returns its elements. */
  static <R> Rows<R> of(
      Source<R, ? extends CompletionStage<Headers>> source, Materializer materializer) {
    return Waits.open(
        () -> {
          var opened = source.toMat(new RowSink<>(), Keep.both()).run(materializer);
          return new Rows<>(opened.second(), opened.first());
        });
  }

  /**
   * Waits for the headers of the answer, which come ahead of the elements.
   *
   * @throws io.millrace.api.CallException if the stream failed without headers
   */
  public Headers headers() {
    return Waits.await(headers.toCompletableFuture(), this::close);
  }

  /**
   * Returns the iterator, whose methods wait for the next element.
   *
   * @throws IllegalStateException on the second call: a stream is read once
   */
  @Override
  public Iterator<R> iterator() {
    if (isIterated) {
      throw new IllegalStateException("the rows of a stream are read once");
    }
    isIterated = true;
    return new Reading();
  }

  /**
   * Cancels the stream, unless all elements were read; the sender then sends no more elements. A
   * thread that waits for an element fails with {@code CANCELLED}. Does not wait. Idempotent.
   */
  @Override
  public void close() {
    arrivals.cancel();
  }

  private final class Reading implements Iterator<R> {
    private @Nullable R next;

    @Override
    public boolean hasNext() {
      if (next == null) {
        try {
          next = arrivals.take();
        } catch (InterruptedException e) {
          close();
          throw Waits.interrupted();
        }
      }
      return next != null;
    }

    @Override
    public R next() {
      R row = hasNext() ? next : null;
      if (row == null) {
        throw new NoSuchElementException("the stream has no further row");
      }
      next = null;
      return row;
    }
  }
}
