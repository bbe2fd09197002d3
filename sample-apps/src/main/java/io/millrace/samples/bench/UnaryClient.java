package io.millrace.samples.bench;

import java.io.IOException;

/**
 * A client that keeps a {@link CallLoop} going.
 *
 * <p>It begins calls while the loop says it can, on the thread that completes calls, and feeds the
 * answers back, until the loop is done. With one call outstanding that is the synchronous round
 * trip, with inline completion.
 */
public interface UnaryClient extends AutoCloseable {
  /** Starts driving {@code loop} and returns without waiting; one loop at a time. */
  void start(CallLoop loop);

  @Override
  void close() throws IOException;
}
