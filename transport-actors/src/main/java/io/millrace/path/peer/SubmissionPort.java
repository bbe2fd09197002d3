package io.millrace.path.peer;

import io.millrace.buffer.BlockPool;
import io.millrace.config.TransportSettings;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.PathCounters;
import io.millrace.ends.Submission;
import io.millrace.ends.SubmissionRings;
import io.millrace.ends.WaitingRoom;
import io.millrace.ends.WorkerInbox;
import io.millrace.path.causality.CausalityGroup;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.packet.WorkerEnd;
import io.millrace.path.region.WorkerRegions;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What application threads see of one worker: its rings, its counters, and how to end its sleep. It
 * outlives restarts of the worker's actor. Safe on any thread.
 */
public final class SubmissionPort implements WorkerInbox {
  private static final int POOLED_BLOCKS = 8_192;
  private static final int SMALL_BLOCK_BYTES = 64;
  private static final int MIDDLE_BLOCK_BYTES = 256;
  private static final int LARGE_BLOCK_BYTES = 2_048;

  private final int worker;
  private final SubmissionRings rings;
  private final CausalityGroup causality;
  private final PathCounters counters;
  private final BlockPool blocks =
      new BlockPool(POOLED_BLOCKS, SMALL_BLOCK_BYTES, MIDDLE_BLOCK_BYTES, LARGE_BLOCK_BYTES);
  private volatile @Nullable WorkerRegions regions;
  private volatile Supplier<@Nullable WorkerCensus> census = () -> null;
  private volatile Supplier<List<PeerIncarnation>> incarnations = List::of;
  private volatile Runnable wakeUp = () -> {};
  private volatile boolean isStopped;

  /** The port of the only worker of a node. */
  public SubmissionPort(int worker, TransportSettings settings) {
    this(worker, settings, new WaitingRoom(settings.limits().waiting().submissions()), 0);
  }

  /** The port of this worker of a node of this incarnation with this waiting room. */
  public SubmissionPort(
      int worker, TransportSettings settings, WaitingRoom room, long incarnation) {
    counters = new PathCounters(worker);
    this.worker = worker;
    causality =
        new CausalityGroup(
            worker,
            incarnation,
            settings.workers().count(),
            settings.transfers().causality(),
            settings.limits().waiting().submissions(),
            submission -> giveBack(submission));
    rings = new SubmissionRings(settings.workers().submissionDepth(), room, this::wakeUp);
  }

  /** The worker's id. */
  public int worker() {
    return worker;
  }

  /** The worker's slots of transfers that others wait for. */
  public CausalityGroup causality() {
    return causality;
  }

  /** Hands a submission to the worker; what can neither be taken nor wait is refused. */
  public void submit(Submission submission) {
    rings.submit(submission);
    wakeUp.run();
  }

  /**
   * Hands over a submission that will be given to {@code lane} when it ends; see {@link
   * SubmissionRings#submit(Submission, ExecutorLane)}.
   *
   * @return null, or why there is no room for it: then it is told nothing and has no place
   */
  public @Nullable String submit(Submission submission, @Nullable ExecutorLane lane) {
    String problem = rings.submit(submission, lane);
    wakeUp.run();
    return problem;
  }

  private void wakeUp() {
    wakeUp.run();
  }

  @Override
  public void giveBack(Submission submission) {
    rings.giveBack(submission);
    wakeUp.run();
  }

  /** The worker has its regions. */
  public void onRegions(WorkerRegions regions) {
    this.regions = regions;
  }

  /** The worker's regions, for their figures only; null before it has started. */
  public @Nullable WorkerRegions regions() {
    return regions;
  }

  /** The worker has started, and tells on its thread what it has. */
  public void onStarted(
      Supplier<@Nullable WorkerCensus> takeCensus, Supplier<List<PeerIncarnation>> lives) {
    census = takeCensus;
    incarnations = lives;
  }

  /** What the worker has at this moment; null before it has started. On its thread. */
  public @Nullable WorkerCensus census() {
    return census.get();
  }

  /** The lives of peers that the worker's open paths lead to, one for each; on its thread. */
  public List<PeerIncarnation> incarnations() {
    return incarnations.get();
  }

  /** What happened on the worker's paths. */
  public PathCounters counters() {
    return counters;
  }

  /**
   * The worker's load: bytes that wait in its rings, or on its paths, or are on their way and not
   * acknowledged. Any thread; a guess, which costs no more the more calls there are.
   */
  public long loadBytes() {
    return rings.waitingBytes() + counters.loadBytes();
  }

  /** Blocks in which bytes go from the worker to other threads. */
  public BlockPool blocks() {
    return blocks;
  }

  /** The worker's end of the port. */
  public WorkerContext.Inbound inbound() {
    return new WorkerContext.Inbound(this, counters, blocks, causality);
  }

  /** The worker's side of the rings. */
  public SubmissionRings rings() {
    return rings;
  }

  /** The worker's loop runs and can be woken by this. */
  public void onLoopStarted(Runnable wakeUp) {
    this.wakeUp = wakeUp;
  }

  /** Whether the worker stopped by itself. */
  public boolean isStopped() {
    return isStopped;
  }

  /**
   * The worker is gone for good: whatever waits or comes is refused, for the first reason given.
   */
  public void close(WorkerEnd end) {
    isStopped |= end == WorkerEnd.STOPPED;
    causality.close(end.outcome(), end.text());
    rings.close(end.outcome(), end.text());
  }
}
