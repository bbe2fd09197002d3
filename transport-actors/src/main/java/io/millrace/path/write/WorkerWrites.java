package io.millrace.path.write;

import io.millrace.driver.RemoteMemory;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.WorkerContext;

/**
 * The way of the fills of all paths of one worker: as chunks, or by one-sided writes where the
 * worker's endpoint supports writes. On the worker's thread.
 */
public class WorkerWrites {
  private final ChunkTrain train;

  WorkerWrites(WorkerContext worker) {
    train = new ChunkTrain(worker);
  }

  /** Returns the writes that the worker's endpoint supports. */
  public static WorkerWrites of(WorkerContext worker) {
    RemoteMemory remote = worker.network().remoteMemory();
    return remote == null ? new WorkerWrites(worker) : new RemoteWrites(worker, remote);
  }

  final ChunkTrain train() {
    return train;
  }

  /** The carrier of a new path; {@code chunks} is present in every case. */
  FillCarrier open(PathPackets path, PathRemoteWrites.Owner owner, PathChunks chunks) {
    return chunks;
  }

  /** The driver is done with a write of this context. */
  public void onWriteComplete(long context, int status, long nowNs) {}

  /** Paths waiting for room or time may go on; once a turn. */
  public void onTurn(long nowNs) {}

  /** The time of the next work of {@link #onTurn}, ns. */
  public long nextDeadlineNs() {
    return Long.MAX_VALUE;
  }

  /** The endpoint is closed. */
  public void close() {}
}
