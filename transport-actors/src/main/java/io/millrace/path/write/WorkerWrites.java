package io.millrace.path.write;

import io.millrace.path.network.PathNetwork;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.WorkerContext;
import java.util.stream.IntStream;

/**
 * The way of the fills of all paths of one worker: as chunks, or by one-sided writes where an
 * endpoint of the worker supports writes. On the worker's thread.
 */
public class WorkerWrites {
  private final ChunkTrain train;

  WorkerWrites(WorkerContext worker) {
    train = new ChunkTrain(worker);
  }

  /** Returns the writes that the worker's endpoints support. */
  public static WorkerWrites of(WorkerContext worker) {
    PathNetwork network = worker.network();
    boolean isOneSided =
        IntStream.range(0, network.size())
            .anyMatch(endpoint -> network.remoteMemory(endpoint) != null);
    return isOneSided ? new RemoteWrites(worker) : new WorkerWrites(worker);
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
