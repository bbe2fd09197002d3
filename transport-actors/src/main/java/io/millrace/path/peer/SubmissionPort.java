package io.millrace.path.peer;

import io.millrace.buffer.BlockPool;
import io.millrace.config.TransportSettings;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.PathCounters;
import io.millrace.ends.Submission;
import io.millrace.ends.SubmissionRings;
import io.millrace.ends.WaitingRoom;
import io.millrace.ends.WorkerInbox;
import io.millrace.path.call.PeerCall;
import io.millrace.path.causality.CausalityGroup;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.packet.WorkerEnd;
import io.millrace.path.region.WorkerRegions;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The side of one worker for application threads: the worker's rings and counters, and the wake-up
 * of a sleeping worker. The port outlives restarts of the worker's actor. Safe on any thread.
 */
public final class SubmissionPort implements WorkerInbox {
  private static final int SPARE_CALLS = 1_024;
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

  /** Answered calls to be made anew; on the worker's thread only. */
  private final ArrayDeque<PeerCall> spareCalls = new ArrayDeque<>();

  private volatile Runnable wakeUp = () -> {};
  private volatile BooleanSupplier ownThread = () -> false;
  private volatile boolean isStopped;

  /** The port of the only worker of a node. */
  public SubmissionPort(int worker, TransportSettings settings) {
    this(worker, settings, WaitingRoom.of(settings.limits().waiting()), 0);
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

  /** The worker's slots of transfers with dependent calls. */
  public CausalityGroup causality() {
    return causality;
  }

  /**
   * Hands a submission to the worker; a submission that can neither be taken nor wait is refused.
   */
  public void submit(Submission submission) {
    if (isOwnThread()) {
      rings.submitOwn(submission);
    } else {
      rings.submit(submission);
    }
    wakeUp.run();
  }

  /**
   * Hands over a submission whose completion {@code lane} will run; see {@link
   * SubmissionRings#submit(Submission, ExecutorLane)}.
   *
   * @return null, or the reason why the submission has no room: then the submission is told nothing
   *     and has no place
   */
  public @Nullable String submit(Submission submission, @Nullable ExecutorLane lane) {
    String problem = rings.submit(submission, lane);
    wakeUp.run();
    return problem;
  }

  /**
   * An answered call given to {@link #spare}, to be made anew; null without such a call, and on any
   * thread but the worker's.
   */
  public @Nullable PeerCall takeSpare() {
    return isOwnThread() ? spareCalls.pollLast() : null;
  }

  /**
   * Keeps an answered call, known to nobody else, for {@link #takeSpare}. On the worker's thread.
   */
  public void spare(PeerCall call) {
    if (spareCalls.size() < SPARE_CALLS) {
      spareCalls.addLast(call);
    }
  }

  /** Whether the calling thread is the worker's thread now. */
  private boolean isOwnThread() {
    return ownThread.getAsBoolean();
  }

  private void wakeUp() {
    wakeUp.run();
  }

  @Override
  public void giveBack(Submission submission) {
    rings.giveBack(submission);
    wakeUp.run();
  }

  /** The worker has opened its regions. */
  public void onRegions(WorkerRegions regions) {
    this.regions = regions;
  }

  /** The worker's regions, for their figures only; null before the start of the worker. */
  public @Nullable WorkerRegions regions() {
    return regions;
  }

  /** The worker has started, and reports its state on the worker's thread. */
  public void onStarted(
      Supplier<@Nullable WorkerCensus> takeCensus, Supplier<List<PeerIncarnation>> lives) {
    census = takeCensus;
    incarnations = lives;
  }

  /**
   * The state of the worker at this moment; null before the start of the worker. On the worker's
   * thread.
   */
  public @Nullable WorkerCensus census() {
    return census.get();
  }

  /**
   * The lives of peers at the other ends of the worker's open paths, one for each path; on the
   * worker's thread.
   */
  public List<PeerIncarnation> incarnations() {
    return incarnations.get();
  }

  /** The events on the worker's paths, in numbers. */
  public PathCounters counters() {
    return counters;
  }

  /**
   * The worker's load: bytes waiting in the rings or on the paths, and bytes on their way without
   * an acknowledgement. Any thread; a guess, at a cost independent of the number of calls.
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

  /** The worker's loop runs, can be woken by this, and says whether a thread drives the loop. */
  public void onLoopStarted(Runnable wakeUp, BooleanSupplier ownThread) {
    this.wakeUp = wakeUp;
    this.ownThread = ownThread;
  }

  /** Whether the worker stopped by itself. */
  public boolean isStopped() {
    return isStopped;
  }

  /**
   * The worker is gone for good: every waiting or new submission is refused, for the first reason
   * given.
   */
  public void close(WorkerEnd end) {
    isStopped |= end == WorkerEnd.STOPPED;
    causality.close(end.outcome(), end.text());
    rings.close(end.outcome(), end.text());
  }
}
