package io.millrace.path.packet;

import io.millrace.access.admission.NodeAccess;
import io.millrace.body.BodyServices;
import io.millrace.body.DataKeyTending;
import io.millrace.buffer.BlockPool;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.ends.InlineBudget;
import io.millrace.ends.PathCounters;
import io.millrace.ends.Submission;
import io.millrace.ends.WorkerInbox;
import io.millrace.event.TransportEvents;
import io.millrace.path.causality.CausalityGroup;
import io.millrace.path.network.PathNetwork;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.Shaper;

/**
 * What the paths of one worker share, whatever they carry: its network, its clocks, its scheduler,
 * its memory and its counters. Made and used on the worker's thread, except {@link #giveBack} and
 * {@link #counters}, which are for any thread.
 */
public final class WorkerContext {
  private final int worker;
  private final TransportSettings settings;
  private final TransportEvents events;
  private final AeadProvider aead;
  private final InlineBudget budget;
  private final ReceiveBudget receiveBudget;
  private final BodyServices bodies;
  private final PathToken.Maker tokens;
  private final NodeAccess access;
  private final DataKeyTending dataKeys;
  private final WorkerInbox inbox;
  private final PathCounters counters;
  private final BlockPool blocks;
  private final CausalityGroup causality;
  private final PathNetwork network;
  private final WorkerTime time;
  private final PriorityScheduler<Sender> scheduler;
  private final Shaper shaper;
  private final TouchedPaths touched = new TouchedPaths();
  private boolean draining;
  private WorkerEnd end = WorkerEnd.STOPPED;

  /** What the scheduler gives turns to. */
  public interface Sender {
    /**
     * Sends one train that begins with frames of {@code level}.
     *
     * @return false if nothing was sent: then {@link #isStalled()} says whether for want of a
     *     buffer
     */
    boolean transmit(int level, long nowNs);

    /** Whether the last {@link #transmit} found no free send buffer. */
    boolean isStalled();
  }

  /**
   * What a node gives to all of its workers.
   *
   * @param settings the transport's settings
   * @param events where events go
   * @param aead makes the ciphers of packets
   * @param budget inline bytes to share among peers
   * @param bodies what transfers share that do not fit a datagram
   * @param tokens prove that this node has lost the secrets of paths
   * @param access which peers may call which routes
   */
  public record Shared(
      TransportSettings settings,
      TransportEvents events,
      AeadProvider aead,
      InlineBudget budget,
      BodyServices bodies,
      PathToken.Maker tokens,
      NodeAccess access) {}

  /**
   * The way from other threads to the worker.
   *
   * @param inbox takes back what the worker handed out
   * @param counters what happened on its paths
   * @param blocks in which bytes go to other threads
   * @param causality its slots of transfers that others wait for
   */
  public record Inbound(
      WorkerInbox inbox, PathCounters counters, BlockPool blocks, CausalityGroup causality) {}

  /** Shares what the node gives to all workers and what this worker opened for itself. */
  public WorkerContext(
      int worker,
      Shared shared,
      Inbound inbound,
      PathNetwork network,
      WorkerTime time,
      PriorityScheduler<Sender> scheduler,
      ReceiveBudget receiveBudget) {
    this.worker = worker;
    this.settings = shared.settings();
    this.events = shared.events();
    this.aead = shared.aead();
    this.budget = shared.budget();
    this.bodies = shared.bodies();
    tokens = shared.tokens();
    access = shared.access();
    this.inbox = inbound.inbox();
    this.counters = inbound.counters();
    this.blocks = inbound.blocks();
    causality = inbound.causality();
    this.network = network;
    this.time = time;
    dataKeys = new DataKeyTending(bodies, time.wheel());
    this.scheduler = scheduler;
    this.receiveBudget = receiveBudget;
    shaper =
        new Shaper(
            settings.nic().sendRate().bitsPerSecond(),
            settings.workers().count(),
            network.packetOverheadBytes());
  }

  /** The worker's id, 0 to 255. */
  public int worker() {
    return worker;
  }

  /** The transport's settings. */
  public TransportSettings settings() {
    return settings;
  }

  /** Where events go. */
  public TransportEvents events() {
    return events;
  }

  /** What happened on the paths; readable from any thread. */
  public PathCounters counters() {
    return counters;
  }

  /** The networks. */
  public PathNetwork network() {
    return network;
  }

  /** The time of its turn, and its timers. */
  public WorkerTime time() {
    return time;
  }

  /** Which path may send next. */
  public PriorityScheduler<Sender> scheduler() {
    return scheduler;
  }

  /** When the worker may send at all. */
  public Shaper shaper() {
    return shaper;
  }

  /** The paths that want a look in this turn. */
  public TouchedPaths touched() {
    return touched;
  }

  /** Makes the ciphers of packets. */
  public AeadProvider aead() {
    return aead;
  }

  /** Inline bytes that the node shares among its paths. */
  public InlineBudget budget() {
    return budget;
  }

  /** What may be on its way to this worker, asked or unasked. */
  public ReceiveBudget receiveBudget() {
    return receiveBudget;
  }

  /** Which peers may call which routes. */
  public NodeAccess access() {
    return access;
  }

  /** What transfers share that do not fit a datagram. */
  public BodyServices bodies() {
    return bodies;
  }

  /** What proves that this node has lost the secrets of paths. */
  public PathToken.Maker tokens() {
    return tokens;
  }

  /** Looks after their data keys. */
  public DataKeyTending dataKeys() {
    return dataKeys;
  }

  /** Blocks in which bytes go from the worker to other threads. */
  public BlockPool blocks() {
    return blocks;
  }

  /** This worker's slots of transfers that others wait for. */
  public CausalityGroup causality() {
    return causality;
  }

  /** Gives back what this worker handed out; any thread. */
  public void giveBack(Submission submission) {
    inbox.giveBack(submission);
  }

  /** Peers begin no transfers here any more; returns whether that is news. Rule T-11. */
  public boolean startDraining() {
    boolean isNews = !draining;
    draining = true;
    return isNews;
  }

  /** Whether peers begin no transfers here any more. */
  public boolean isDraining() {
    return draining;
  }

  /** The worker ends because it was asked to. */
  public void onClosing() {
    end = WorkerEnd.CLOSED;
  }

  /** Why the worker ends, if it does so now. */
  public WorkerEnd end() {
    return end;
  }
}
