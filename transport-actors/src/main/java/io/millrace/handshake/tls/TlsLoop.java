package io.millrace.handshake.tls;

import java.nio.ByteBuffer;

/** The services of the loop thread for a connection. On the loop's thread. */
interface TlsLoop {
  TlsLimits limits();

  long nowNs();

  /** Room for one sealed record, cleared; valid until the next call. */
  ByteBuffer sealedScratch();

  /** Room for the content of a record, cleared; valid until the next call. */
  ByteBuffer clearScratch();

  /**
   * Runs a long task on another thread, and then {@code then} on this thread.
   *
   * @param age the connection's number; the oldest connection's task goes first
   * @return false if too much waits already; then neither is run
   */
  boolean execute(long age, Runnable task, Runnable then);

  /** A number for a further connection, greater than all before. */
  long nextAge();

  /** The connection is gone. */
  void onClosed(TlsConnection connection);
}
