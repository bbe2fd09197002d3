package io.millrace.path.packet;

/**
 * The builder, the reader and the senders of the packets of all paths of one worker. On the
 * worker's thread.
 */
public final class WorkerPackets {
  private final TrainBuilder train;
  private final ControlPackets controls;
  private final PathCloses closes;
  private final PacketReader reader;

  /** The packet tools of this worker. */
  public WorkerPackets(WorkerContext worker) {
    train = new TrainBuilder(worker);
    controls = new ControlPackets(worker, train);
    closes = new PathCloses(worker, controls);
    reader = new PacketReader(worker);
  }

  TrainBuilder train() {
    return train;
  }

  /** Sends packets for which no transfer asked. */
  public ControlPackets controls() {
    return controls;
  }

  /** Tells peers of ended paths. */
  public PathCloses closes() {
    return closes;
  }

  PacketReader reader() {
    return reader;
  }
}
