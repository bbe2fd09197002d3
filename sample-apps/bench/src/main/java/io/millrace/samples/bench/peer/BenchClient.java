package io.millrace.samples.bench.peer;

import java.io.IOException;

/**
 * A client that keeps a load going, on a thread of its own, until the load is done; one load at a
 * time.
 */
public interface BenchClient extends AutoCloseable {
  /**
   * Starts driving {@code loop} and returns without waiting. The client begins calls while the loop
   * allows calls, on the thread that completes calls, and passes the answers to the loop, until the
   * loop is done. With one call outstanding the client measures the synchronous round trip, with
   * inline completion.
   */
  default void start(CallLoop loop) {
    throw new UnsupportedOperationException("this peer makes no calls");
  }

  /**
   * Starts driving {@code loop} and returns without waiting. The client sends blocks one way while
   * the loop allows blocks, as fast as the receiver takes them; then the client passes the
   * receiver's counts to the loop.
   */
  default void start(BulkLoop loop) {
    throw new UnsupportedOperationException("this peer sends no bulk");
  }

  @Override
  void close() throws IOException;
}
