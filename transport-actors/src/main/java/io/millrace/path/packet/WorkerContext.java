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

/**
 * What the paths of one worker share, whatever they carry: the node's terms, the way in from other
 * threads, the network, time, and the schedule. Made and used on the worker's thread, except {@link
 * #giveBack} and {@link #counters}, which are for any thread.
 */
public final class WorkerContext {
  private final int worker;
  private final Terms terms;
  private final Inbound inbound;
  private final PathNetwork network;
  private final WorkerTime time;
  private final WorkerSchedule schedule;
  private final ReceiveBudget receiveBudget;
  private final DataKeyTending dataKeys;
  private boolean draining;
  private WorkerEnd end = WorkerEnd.STOPPED;

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
  public record Terms(
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
      Terms terms,
      Inbound inbound,
      PathNetwork network,
      WorkerTime time,
      WorkerSchedule schedule,
      ReceiveBudget receiveBudget) {
    this.worker = worker;
    this.terms = terms;
    this.inbound = inbound;
    this.network = network;
    this.time = time;
    this.schedule = schedule;
    this.receiveBudget = receiveBudget;
    dataKeys = new DataKeyTending(terms.bodies(), time.wheel());
  }

  /** The worker's id, 0 to 255. */
  public int worker() {
    return worker;
  }

  /** What all workers of the node share. */
  public Terms terms() {
    return terms;
  }

  /** The transport's settings. */
  public TransportSettings settings() {
    return terms.settings();
  }

  /** Where events go. */
  public TransportEvents events() {
    return terms.events();
  }

  /** What happened on the paths; readable from any thread. */
  public PathCounters counters() {
    return inbound.counters();
  }

  /** The networks. */
  public PathNetwork network() {
    return network;
  }

  /** The time of its turn, and its timers. */
  public WorkerTime time() {
    return time;
  }

  /** Which path sends next, and when. */
  public WorkerSchedule schedule() {
    return schedule;
  }

  /** What may be on its way to this worker, asked or unasked. */
  public ReceiveBudget receiveBudget() {
    return receiveBudget;
  }

  /** What transfers share that do not fit a datagram. */
  public BodyServices bodies() {
    return terms.bodies();
  }

  /** Looks after their data keys. */
  public DataKeyTending dataKeys() {
    return dataKeys;
  }

  /** Blocks in which bytes go from the worker to other threads. */
  public BlockPool blocks() {
    return inbound.blocks();
  }

  /** This worker's slots of transfers that others wait for. */
  public CausalityGroup causality() {
    return inbound.causality();
  }

  /** Gives back what this worker handed out; any thread. */
  public void giveBack(Submission submission) {
    inbound.inbox().giveBack(submission);
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
