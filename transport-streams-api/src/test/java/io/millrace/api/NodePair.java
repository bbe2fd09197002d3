package io.millrace.api;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Two nodes and how to wait for them, on real sockets or under virtual time. */
interface NodePair extends AutoCloseable {
  Transport server();

  Transport client();

  /** Returns the server as a peer of the client. */
  default Peer peer() {
    return client().peer(server().address());
  }

  /** Waits for the future, with a limit that only a defect can exceed. */
  <T> T await(CompletableFuture<T> future) throws Exception;

  /**
   * Waits for the condition, with a limit that only a defect can exceed; returns false after the
   * limit.
   */
  boolean awaitUntil(BooleanSupplier condition);

  @Override
  void close();
}
