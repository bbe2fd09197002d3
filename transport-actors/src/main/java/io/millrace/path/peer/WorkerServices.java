package io.millrace.path.peer;

import io.millrace.ends.StreamBudget;
import io.millrace.event.TransportEvents;
import io.millrace.path.call.WorkerCalls;
import io.millrace.path.network.PathNetwork;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.packet.WorkerPackets;
import io.millrace.path.packet.WorkerSchedule;
import io.millrace.path.packet.WorkerTime;
import io.millrace.path.region.WorkerRegions;
import io.millrace.path.slot.WorkerSlots;
import io.millrace.path.write.WorkerWrites;
import io.millrace.protocol.schedule.LateTurns;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.TimingWheel;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rooms of one worker: the services shared by its paths for packets, calls, streams, writes and
 * regions, and the paths themselves. Made by the worker's actor and used on the worker's thread.
 */
public final class WorkerServices {
  private final WorkerContext context;
  private final WorkerPackets packets;
  private final WorkerCalls calls;
  private final WorkerWrites writes;
  private final @Nullable WorkerSlots slots;
  private final WorkerRegions regions;
  private final StreamBudget elements;
  private final NodeRoutes routes;
  private final FrameReaders readers;
  private final PathTable paths;
  private final LateTurns lateTurns = new LateTurns();

  /**
   * Shares the services of the node for all workers and the resources opened by this worker.
   *
   * @param inbound the way from other threads to the worker
   * @param schedulers makes an empty scheduler for each send rate
   */
  public WorkerServices(
      NodeServices node,
      int worker,
      WorkerContext.Inbound inbound,
      PathNetwork network,
      WorkerTime time,
      Supplier<PriorityScheduler<WorkerSchedule.Sender>> schedulers,
      WorkerRegions regions) {
    this.regions = regions;
    context =
        new WorkerContext(
            worker,
            node.terms(),
            inbound,
            network,
            time,
            new WorkerSchedule(schedulers, network, inbound.counters()),
            regions.budget());
    routes = node.routes();
    elements = node.elements();
    regions.slowBy(
        context.settings().limits().waiting().pending(), context.bodies().work()::waiting);
    packets = new WorkerPackets(context);
    calls = new WorkerCalls(context, routes, node.requests());
    writes = WorkerWrites.of(context);
    slots = WorkerSlots.of(context);
    readers = new FrameReaders(calls);
    paths = new PathTable(context, packets.controls());
  }

  /** The services shared by all rooms. */
  public WorkerContext context() {
    return context;
  }

  /** The worker's id, 0 to 255. */
  public int worker() {
    return context.worker();
  }

  /** The receiver of events. */
  public TransportEvents events() {
    return context.events();
  }

  /** The networks of the worker. */
  public PathNetwork network() {
    return context.network();
  }

  /**
   * Fires the due timers, after the datagrams received in the meantime were read. A worker starved
   * of a core must not take its own silence for a peer's. Rule L-9.
   *
   * @return the number of timers fired
   */
  public int advanceTimers(long nowNs) {
    TimingWheel wheel = context.time().wheel();
    boolean waits = lateTurns.holdsTimers(network().hasMore(), wheel.timeNs(), nowNs);
    return waits ? 0 : wheel.advance(nowNs);
  }

  /** Packets of all paths. */
  public WorkerPackets packets() {
    return packets;
  }

  WorkerCalls calls() {
    return calls;
  }

  /** The way of fills. */
  public WorkerWrites writes() {
    return writes;
  }

  /** Memory for packets written by peers; null where this worker gives none. */
  public @Nullable WorkerSlots slots() {
    return slots;
  }

  /** Memory for writes of peers. */
  public WorkerRegions regions() {
    return regions;
  }

  /** Memory of the received elements of streams. */
  public StreamBudget elements() {
    return elements;
  }

  NodeRoutes routes() {
    return routes;
  }

  FrameReaders readers() {
    return readers;
  }

  /** The open paths of the worker. */
  public PathTable paths() {
    return paths;
  }

  /** Peers begin no more transfers here, and are told so; rule T-11. */
  public void drain() {
    if (context.startDraining()) {
      for (PeerPath path : paths.snapshot()) {
        path.drain().leave();
      }
    }
  }
}
