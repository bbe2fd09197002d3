package io.millrace.path.packet;

/**
 * The builder, the reader and the senders of the packets of all paths of one worker. On the
 * worker's thread.
 */
public final class WorkerPackets {
  private final TrainBuilder train;
  private final ControlPackets controls;
  private final PathFarewells farewells;
  private final PacketReader reader;

  /** The packet tools of this worker. */
  public WorkerPackets(WorkerContext worker) {
    train = new TrainBuilder(worker);
    controls = new ControlPackets(worker, train);
    farewells = new PathFarewells(worker, controls);
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
  public PathFarewells farewells() {
    return farewells;
  }

  PacketReader reader() {
    return reader;
  }
}
