package io.millrace.actor.peer;

import io.millrace.driver.RemoteMemory;

/**
 * How the fills of one worker travel, chosen once by what its endpoint can do. Worker's thread
 * only.
 */
public interface FillCarriers {
  /** What suits the worker's endpoint. */
  static FillCarriers of(WorkerServices services) {
    RemoteMemory remote = services.endpoint().remoteMemory();
    return remote == null ? (path, writes, chunks) -> chunks : new RemoteWrites(services, remote);
  }

  /** The carrier of a new path, which has {@code chunks} in any case. */
  FillCarrier open(PeerPath path, PathWrites writes, PathChunks chunks);

  /** The driver is done with a write of this context. */
  default void onWriteComplete(long context, int status, long nowNs) {}

  /** What waited for room or time may go on; once a turn. */
  default void onTurn(long nowNs) {}

  /** When {@link #onTurn} may have something to do, ns. */
  default long nextDeadlineNs() {
    return Long.MAX_VALUE;
  }

  /** The endpoint is closed. */
  default void close() {}
}
