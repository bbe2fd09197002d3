package io.millrace.testkit.internal.node;

import io.millrace.crypto.HandshakeProvider;
import io.millrace.driver.DriverProvider;

/** The network as one life of a node sees it. Simulation thread only. */
public interface NodeNetwork {
  /**
   * Opens the endpoints of workers. It is called in a worker's turn, so that an endpoint finds its
   * worker's loop by {@code EventLoop.current()} and wakes it when something arrives.
   */
  DriverProvider driver();

  /** Shakes hands on the node's address. */
  HandshakeProvider handshakes();

  /** The life is over: what it opened is gone at once and without a word, its memory is freed. */
  void onEnd();
}
