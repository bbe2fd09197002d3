package io.millrace.api;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Two nodes and how to wait for them, on real sockets or under virtual time. */
interface NodePair extends AutoCloseable {
  Transport server();

  Transport client();

  /** The server, as the client sees it. */
  default Peer peer() {
    return client().peer(server().address());
  }

  /** Waits for the future, so long that only a defect lets it miss. */
  <T> T await(CompletableFuture<T> future) throws Exception;

  /** Waits for the condition, so long that only a defect lets it miss; false if it did. */
  boolean awaitUntil(BooleanSupplier condition);

  @Override
  void close();
}
