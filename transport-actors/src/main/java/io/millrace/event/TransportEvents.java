package io.millrace.event;

/**
 * What a transport lets an observer see. A subscriber overrides what it wants; the rest costs an
 * empty call. The one that the transport was started with is called on the thread where the thing
 * happened, a worker's mostly: its methods must not block, and those about single packets must not
 * allocate. Those that subscribed later are called on a thread of their own each ({@link
 * EventSubscription}). What a subscriber throws is logged, seldom if it throws often, and harms
 * nobody.
 */
public interface TransportEvents {
  /** Sees nothing. */
  TransportEvents NONE = new TransportEvents() {};

  /**
   * {@code millrace.nic.driver} is {@code auto}, and a driver that is preferred to the one that was
   * chosen does not work here. Told while the transport starts, once for each such driver, on the
   * thread that starts it.
   *
   * @param driver its name; its class if not even that could be loaded
   */
  default void onDriverPassedOver(String driver, String reason) {}

  /** A worker's loop runs. {@code core} is -1 when it is not pinned. */
  default void onWorkerStarted(int worker, String thread, int core) {}

  /** A worker could not be pinned; it runs unpinned. */
  default void onPinFailed(int worker, int core, String reason) {}

  /**
   * The memory that peers write into was put on the memory node of the worker's core, but for so
   * many bytes. Told of pinned workers on machines with several nodes.
   */
  default void onMemoryPlaced(int worker, int node, long remoteBytes) {}

  /** Something wanted is missing or smaller than wanted; the transport goes on without. */
  default void onResourceDegraded(int worker, String what) {}

  /** A handshake with a peer began. */
  default void onHandshakeStarted(String peer) {}

  /** A handshake succeeded, {@code rttNs} being its measured round trip. */
  default void onHandshakeCompleted(String peer, long rttNs) {}

  /** A handshake failed. */
  default void onHandshakeFailed(String peer, String reason) {}

  /**
   * This node refused a handshake that another began: it has another key, speaks another version,
   * or there is no room for it. Who knew the key is told of by {@link #onHandshakeFailed} as well.
   * That a node is shutting down is not told. Of each host the first time is told, the second, the
   * fourth and so on; hosts beyond the first thousand are counted together.
   *
   * @param remote its address, host:port; whoever forges an address can have any
   * @param count how often hosts were refused that are counted with this one
   */
  default void onHandshakeRefused(String remote, String reason, long count) {}

  /** Handling handshakes threw; they go on, unless the fault says that the socket is gone. */
  default void onHandshakeFault(Throwable fault) {}

  /** Packets may flow on a path between this worker and a peer. */
  default void onPathOpened(int worker, String peer, long pathId) {}

  /** A path ended; its transfers have failed. */
  default void onPathClosed(int worker, String peer, long pathId, String reason) {}

  /** The handling of one peer threw; its transfers fail, its actor restarts. */
  default void onPeerFault(int worker, String peer, Throwable fault) {}

  /**
   * An application's completion of a call to this peer threw on the worker's or the submitting
   * thread. The call has ended all the same, and nothing else is harmed.
   */
  default void onCompletionFault(int worker, String peer, Throwable fault) {}

  /**
   * An application's handler threw, or completed its answer with an exception that says nothing to
   * its caller but that it failed; the caller was answered so. Of each handler the first time is
   * told, the second, the fourth and so on. On the handler's thread.
   *
   * @param route its name
   * @param pattern unary, bulk write, bulk read, streaming response, streaming request or
   *     bidirectional
   * @param count how often it did so far
   */
  default void onHandlerFault(
      String peer, String route, String pattern, Throwable fault, long count) {}

  /**
   * A peer did not answer a probe in time, is heard of again, or is given up: {@code HEALTHY},
   * {@code SUSPECTED} and {@code FAILED}. That a silent peer is probed, and answers, is not told: a
   * handler may take as long as it likes. Rules L-1 and L-2. A path that ends otherwise, and one
   * that follows, tell nothing of it.
   */
  default void onPeerHealthChanged(int worker, String peer, String from, String to) {}

  /**
   * A peer is about to shut down and takes no more transfers of this node; what it has begun goes
   * on. Told once for each path to it.
   */
  default void onPeerDraining(int worker, String peer) {}

  /**
   * The network says that a peer's address cannot be reached; only probes decide about the peer.
   */
  default void onPeerUnreachable(int worker, String peer) {}

  /** A peer broke the protocol; its path is closed. */
  default void onProtocolViolation(int worker, String peer, String what) {}

  /** A datagram was dropped on receipt. */
  default void onPacketDropped(int worker, DropReason reason) {}

  /** A packet was declared lost. */
  default void onPacketLost(int worker, String peer, long packetNumber, int bytes) {}

  /** A peer wrote, or said that it wrote, where it may not; nothing was changed by it. */
  default void onWriteRejected(int worker, String peer, String reason, int region) {}

  /**
   * A peer wrote, or announced, again what was taken before; nothing was changed by it. Networks
   * repeat and delay packets of honest peers: only the first, second, fourth and so on of a path is
   * told, writes and announcements each by themselves, {@code count} being how many there were.
   */
  default void onStaleWrite(int worker, String peer, String reason, int region, long count) {}

  /** A record's tag was wrong; the peer is asked to write it again. */
  default void onRecordNotAuthentic(int worker, String peer, int region, int record) {}

  /** A direction of a path went on to its next key. */
  default void onKeyRotated(int worker, String peer, int keyId) {}

  /** The datagram size that a path is known to carry changed. */
  default void onPathMaxDatagramChanged(int worker, String peer, int bytes) {}

  /**
   * Memory of sealed bytes was not given back by whoever had it: a sealed payload was dropped and
   * never closed, which is told when the collector finds it, the memory being given back then; or
   * somebody held it still when the transport had closed.
   *
   * @param owner what it was taken for
   * @param references how many held it, transfers under way among them
   */
  default void onBufferLeaked(String owner, long bytes, int references) {}

  /**
   * A transfer of this node failed because one failed that it depends on, or because how that one
   * ended is forgotten. On the worker's thread.
   *
   * @param token of the transfer, 16 hexadecimal digits
   * @param root of the transfer whose failure it is
   */
  default void onDependencyFailed(int worker, String token, String root) {}

  /**
   * A scope of causality was dropped and never closed, and is closed now that the collector has
   * found it.
   *
   * @param open tokens and calls that it had
   */
  default void onScopeLeaked(int open) {}

  /**
   * A worker stopped, though its transport was not closed. All calls to its peers fail with {@code
   * WORKER_STOPPED}, and no new peer is given to it; it does not start again. Not on its thread.
   */
  default void onWorkerStopped(int worker, String reason) {}

  /** A duty cycle or task of a worker threw outside any peer's handling. */
  default void onWorkerFault(int worker, Throwable fault) {}
}
