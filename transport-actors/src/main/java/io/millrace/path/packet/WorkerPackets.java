package io.millrace.path.packet;

/** What builds, reads and sends the packets of all paths of one worker. On its thread. */
public final class WorkerPackets {
  private final TrainBuilder train;
  private final ControlPackets controls;
  private final PathFarewells farewells;
  private final PacketReader reader;

  /** The one of this worker. */
  public WorkerPackets(WorkerContext worker) {
    train = new TrainBuilder(worker);
    controls = new ControlPackets(worker, train);
    farewells = new PathFarewells(worker, controls);
    reader = new PacketReader(worker);
  }

  TrainBuilder train() {
    return train;
  }

  /** Sends packets that no transfer asked for. */
  public ControlPackets controls() {
    return controls;
  }

  /** Tells peers of paths that have ended. */
  public PathFarewells farewells() {
    return farewells;
  }

  PacketReader reader() {
    return reader;
  }
}
