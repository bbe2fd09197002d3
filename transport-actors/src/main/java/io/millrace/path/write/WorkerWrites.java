package io.millrace.path.write;

import io.millrace.driver.RemoteMemory;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.WorkerContext;

/**
 * How the fills of all paths of one worker travel: as chunks, or by one-sided writes where its
 * endpoint can. On its thread.
 */
public class WorkerWrites {
  private final ChunkTrain train;

  WorkerWrites(WorkerContext worker) {
    train = new ChunkTrain(worker);
  }

  /** As the worker's endpoint can. */
  public static WorkerWrites of(WorkerContext worker) {
    RemoteMemory remote = worker.network().remoteMemory();
    return remote == null ? new WorkerWrites(worker) : new RemoteWrites(worker, remote);
  }

  final ChunkTrain train() {
    return train;
  }

  /** The carrier of a new path, which has {@code chunks} in any case. */
  FillCarrier open(PathPackets path, PathRemoteWrites.Owner owner, PathChunks chunks) {
    return chunks;
  }

  /** The driver is done with a write of this context. */
  public void onWriteComplete(long context, int status, long nowNs) {}

  /** What waited for room or time may go on; once a turn. */
  public void onTurn(long nowNs) {}

  /** When {@link #onTurn} may have something to do, ns. */
  public long nextDeadlineNs() {
    return Long.MAX_VALUE;
  }

  /** The endpoint is closed. */
  public void close() {}
}
