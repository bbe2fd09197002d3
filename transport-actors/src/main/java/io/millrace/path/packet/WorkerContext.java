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
 * The services shared by the paths of one worker: the node's terms, the way in from other threads,
 * the network, time, and the schedule. The services are the same for calls, streams and bodies.
 * Made and used on the worker's thread, except {@link #giveBack} and {@link #counters}, which are
 * for every thread.
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
   * The services of a node for all of its workers.
   *
   * @param settings the transport's settings
   * @param events the receiver of events
   * @param aead makes the ciphers of packets
   * @param budget inline bytes to share among peers
   * @param bodies the shared services of transfers too large for a datagram
   * @param tokens make the proofs that this node has lost the secrets of paths
   * @param access the peers' rights to call routes
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
   * @param inbox takes back the submissions handed out by the worker
   * @param counters the events on the worker's paths, in numbers
   * @param blocks blocks for bytes on their way to other threads
   * @param causality the worker's slots of transfers with dependent calls
   */
  public record Inbound(
      WorkerInbox inbox, PathCounters counters, BlockPool blocks, CausalityGroup causality) {}

  /** Shares the services of the node for all workers and the resources opened by this worker. */
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

  /** The services shared by all workers of the node. */
  public Terms terms() {
    return terms;
  }

  /** The transport's settings. */
  public TransportSettings settings() {
    return terms.settings();
  }

  /** The receiver of events. */
  public TransportEvents events() {
    return terms.events();
  }

  /** The events on the paths, in numbers; readable from every thread. */
  public PathCounters counters() {
    return inbound.counters();
  }

  /** The networks of the worker. */
  public PathNetwork network() {
    return network;
  }

  /** The time of the worker's turn, and the timers. */
  public WorkerTime time() {
    return time;
  }

  /** The next path to send, and the time to send. */
  public WorkerSchedule schedule() {
    return schedule;
  }

  /** The bytes that may be on their way to this worker, asked or unasked. */
  public ReceiveBudget receiveBudget() {
    return receiveBudget;
  }

  /** The shared services of transfers too large for a datagram. */
  public BodyServices bodies() {
    return terms.bodies();
  }

  /** Looks after the data keys of these transfers. */
  public DataKeyTending dataKeys() {
    return dataKeys;
  }

  /** Blocks in which bytes go from the worker to other threads. */
  public BlockPool blocks() {
    return inbound.blocks();
  }

  /** This worker's slots of transfers with dependent calls. */
  public CausalityGroup causality() {
    return inbound.causality();
  }

  /** Gives back a submission handed out by this worker; any thread. */
  public void giveBack(Submission submission) {
    inbound.inbox().giveBack(submission);
  }

  /** Peers begin no more transfers here; returns whether the drain is news. Rule T-11. */
  public boolean startDraining() {
    boolean isNews = !draining;
    draining = true;
    return isNews;
  }

  /** Whether peers begin no more transfers here. */
  public boolean isDraining() {
    return draining;
  }

  /** The worker ends because its owner asked for the end. */
  public void onClosing() {
    end = WorkerEnd.CLOSED;
  }

  /** Why the worker ends, if the end comes now. */
  public WorkerEnd end() {
    return end;
  }
}
