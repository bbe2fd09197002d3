package io.millrace.samples.bench.peer;

import java.io.IOException;

/** A client that keeps a load going, on a thread of its own, until it is done; one at a time. */
public interface BenchClient extends AutoCloseable {
  /**
   * Starts driving {@code loop} and returns without waiting. The client begins calls while the loop
   * says it can, on the thread that completes calls, and feeds the answers back, until the loop is
   * done. With one call outstanding that is the synchronous round trip, with inline completion.
   */
  default void start(CallLoop loop) {
    throw new UnsupportedOperationException("this peer makes no calls");
  }

  /**
   * Starts driving {@code loop} and returns without waiting. The client sends blocks one way while
   * the loop says it can, as fast as the receiver takes them; then it tells the loop what the
   * receiver counted.
   */
  default void start(BulkLoop loop) {
    throw new UnsupportedOperationException("this peer sends no bulk");
  }

  @Override
  void close() throws IOException;
}
