package io.millrace.actor.peer;

import io.millrace.actor.body.BodyServices;
import io.millrace.actor.submission.Submission;
import io.millrace.buffer.BlockPool;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.driver.Endpoint;
import io.millrace.event.TransportEvents;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.Shaper;
import io.millrace.protocol.schedule.TimingWheel;
import io.millrace.protocol.transfer.AnswerMemory;
import java.util.ArrayDeque;

/**
 * What the paths of one worker share: its endpoint, wheel, scheduler, pools and counters. Made by
 * the worker's actor on the worker's thread and used there, except {@link #giveBack} and {@link
 * #counters}, which are for any thread.
 */
public final class WorkerServices {
  private static final int POOLED_DEFERRED_CALLS = 4_096;

  /** A tick and the slots of the wheel of paced paths: at 400 Gbit/s a train takes 1.3 us. */
  private static final long PACE_TICK_NS = 1_024;

  private static final int PACE_SLOTS = 1_024;

  private final int worker;
  private final TransportSettings settings;
  private final TransportEvents events;
  private final AeadProvider aead;
  private final Routes routes;
  private final InlineBudget budget;
  private final ReceiveBudget receiveBudget;
  private final SubmissionPort submissions;
  private final Endpoint endpoint;
  private final TimingWheel wheel;
  private final PriorityScheduler<PeerPath> scheduler;
  private final Shaper shaper;
  private final TimingWheel paced;
  private final BlockPool blocks;
  private final PathCounters counters;
  private final PathTable paths = new PathTable();
  private final InboundCall inbound = new InboundCall();
  private final BodyServices bodies;
  private final StreamBudget elements;
  private final WorkerRegions regions;
  private final TrainBuilder train;
  private final ChunkTrain chunks;
  private final FillCarriers carriers;
  private final PacketReader reader;
  private final ControlPackets controls;
  private final PathFarewells farewells;
  private final AnswerMemory answers;
  private final TouchedPaths touched = new TouchedPaths();
  private final ArrayDeque<DeferredCall> deferred = new ArrayDeque<>();
  private boolean draining;
  private WorkerEnd end = WorkerEnd.STOPPED;

  /** Shares what the node gives to all workers and what this worker opened for itself. */
  public WorkerServices(
      NodeServices node,
      int worker,
      SubmissionPort submissions,
      Endpoint endpoint,
      TimingWheel wheel,
      PriorityScheduler<PeerPath> scheduler,
      WorkerRegions regions) {
    this.worker = worker;
    this.settings = node.settings();
    this.events = node.events();
    this.aead = node.aead();
    this.routes = node.routes();
    this.budget = node.budget();
    this.receiveBudget = regions.budget();
    this.submissions = submissions;
    this.endpoint = endpoint;
    this.wheel = wheel;
    this.scheduler = scheduler;
    this.shaper =
        new Shaper(
            settings.nic().sendRate().bitsPerSecond(),
            settings.workers().count(),
            endpoint.packetOverheadBytes());
    this.paced = new TimingWheel(PACE_TICK_NS, PACE_SLOTS, wheel.timeNs());
    this.blocks = submissions.blocks();
    this.counters = submissions.counters();
    this.bodies = node.bodies();
    this.elements = node.elements();
    this.regions = regions;
    regions.slowBy(settings.limits().pending(), bodies.lane()::waiting);
    this.train = new TrainBuilder(this);
    this.chunks = new ChunkTrain(this);
    this.reader = new PacketReader(this);
    this.controls = new ControlPackets(this);
    this.farewells = new PathFarewells(this);
    this.carriers = FillCarriers.of(this);
    answers = new AnswerMemory(settings.limits().answerBudgetBytes() / settings.workers().count());
  }

  /** The worker's id, 0 to 255. */
  public int worker() {
    return worker;
  }

  /** The transport's settings. */
  public TransportSettings settings() {
    return settings;
  }

  /** Peers begin no transfers here any more, and are told so; rule T-11. */
  public void drain() {
    if (!draining) {
      draining = true;
      for (PeerPath path : paths.snapshot()) {
        path.departure().leave();
      }
    }
  }

  /** The worker ends because it was asked to. */
  public void onClosing() {
    end = WorkerEnd.CLOSED;
  }

  /** Why the worker ends, if it does so now. */
  public WorkerEnd end() {
    return end;
  }

  /** Whether peers begin no transfers here any more. */
  boolean isDraining() {
    return draining;
  }

  /** Where events go. */
  public TransportEvents events() {
    return events;
  }

  /** What happened on the paths; readable from any thread. */
  public PathCounters counters() {
    return counters;
  }

  /** The paths that are open. */
  public PathTable paths() {
    return paths;
  }

  /** The paths that want a look at the end of the turn. */
  public TouchedPaths touched() {
    return touched;
  }

  /** Reads datagrams. */
  public PacketReader reader() {
    return reader;
  }

  ChunkTrain chunks() {
    return chunks;
  }

  /** How the fills of its paths travel. */
  public FillCarriers carriers() {
    return carriers;
  }

  BodyServices bodies() {
    return bodies;
  }

  StreamBudget elements() {
    return elements;
  }

  /** Memory that peers write into. */
  public WorkerRegions regions() {
    return regions;
  }

  /** Sends packets that no transfer asked for. */
  public ControlPackets controls() {
    return controls;
  }

  /** Tells peers of paths that have ended. */
  public PathFarewells farewells() {
    return farewells;
  }

  AnswerMemory answers() {
    return answers;
  }

  TrainBuilder train() {
    return train;
  }

  /** Which path may send next. */
  public PriorityScheduler<PeerPath> scheduler() {
    return scheduler;
  }

  /** When the worker may send at all. */
  public Shaper shaper() {
    return shaper;
  }

  /** The timers of paths that wait for their rate, in ticks shorter than a train. */
  public TimingWheel paced() {
    return paced;
  }

  /** The timers. */
  public TimingWheel wheel() {
    return wheel;
  }

  /** The network. */
  public Endpoint endpoint() {
    return endpoint;
  }

  AeadProvider aead() {
    return aead;
  }

  Routes routes() {
    return routes;
  }

  ReceiveBudget receiveBudget() {
    return receiveBudget;
  }

  InlineBudget budget() {
    return budget;
  }

  InboundCall inbound() {
    return inbound;
  }

  BlockPool blocks() {
    return blocks;
  }

  int submissionsWaiting() {
    return submissions.rings().waiting();
  }

  /** Gives back what this worker handed out; any thread. */
  void giveBack(Submission submission) {
    submissions.giveBack(submission);
  }

  DeferredCall takeDeferred() {
    DeferredCall call = deferred.pollLast();
    return call == null ? new DeferredCall(this) : call;
  }

  void recycle(DeferredCall call) {
    if (deferred.size() < POOLED_DEFERRED_CALLS) {
      deferred.addLast(call);
    }
  }
}
