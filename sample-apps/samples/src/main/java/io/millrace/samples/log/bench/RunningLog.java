package io.millrace.samples.log.bench;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Running replicas, and their client in this process; closing ends both. */
public interface RunningLog extends AutoCloseable {
  /** Prepares this number of sessions, each for one operation at a time. */
  void openSessions(int count) throws IOException, InterruptedException;

  /**
   * Stores a value. Any thread.
   *
   * @param session from 0 on
   * @return completes when the log has answered that the value is committed
   */
  CompletableFuture<?> put(int session, byte[] key, byte[] value);

  /** Returns the process of the present leader. */
  ProcessHandle leader() throws IOException, InterruptedException;

  @Override
  void close();
}
