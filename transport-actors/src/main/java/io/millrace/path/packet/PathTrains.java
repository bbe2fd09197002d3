package io.millrace.path.packet;

import io.millrace.driver.HoldCause;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.network.PathNetwork;
import io.millrace.protocol.congestion.Pacer;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.schedule.ShapedScheduler;
import io.millrace.protocol.schedule.Shaper;
import io.millrace.protocol.schedule.SourceFlows;
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimerHandler;
import io.millrace.protocol.transfer.FrameQueue;
import org.jspecify.annotations.Nullable;

/**
 * Decides the content and the time of the next train of one path. Also decides the levels at which
 * the path is offered to the scheduler of its worker. While both frames and chunks of a level wait,
 * frames and chunks take turns, counted in bytes of sealed packets. The side with fewer bytes goes
 * next. One-sided writes go after frames, without competing for packets. Frames and chunks stopped
 * by the congestion window, by credit or by a rate are held, so that their level keeps its turn. A
 * timer releases the levels waiting for a rate. On the worker's thread; does not allocate.
 */
public final class PathTrains {
  /** The lead of one side is limited to a train: no longer lead is made up for. */
  private static final int MOST_AHEAD_BYTES = 64 << 10;

  private static final int EVERY_LEVEL = (1 << FrameQueue.LEVELS) - 1;

  private final PathParts parts;
  private final PathContext path;
  private final PathFrames frames;
  private BulkSource bulk = BulkSource.NONE;
  private BulkSource.Demand demand = BulkSource.Demand.NONE;
  private final TrainBuilder train;
  private final Schedulable<WorkerSchedule.Sender> place;
  private PriorityScheduler<WorkerSchedule.Sender> scheduler;
  private Shaper shaper;
  private final Pacer pacer = new Pacer();
  private final SourceFlows flows;

  /** The time at which the levels waiting for a rate are offered again. */
  private final Timer release;

  /** The source port of the train under construction. */
  private int flow = SourceFlows.FIRST;

  /** The buffer of the train under construction; {@code endpoint} is its endpoint. */
  private @Nullable SendBuffer acquired;

  private int endpoint;
  private SmallPackets small = SmallPackets.NONE;
  private boolean isStalled;

  /** Whether the driver keeps posts to the peer for later. */
  private boolean isHeld;

  private long heldSinceNs;

  /** For each level, the bytes of frames ahead of the bytes of chunks. */
  private final int[] aheadBytes = new int[FrameQueue.LEVELS];

  /**
   * Makes the trains of a path.
   *
   * @param place the path's place in the scheduler of its worker
   * @param onRate told when a rate lets the next train go
   */
  PathTrains(
      PathParts parts,
      TrainBuilder train,
      Schedulable<WorkerSchedule.Sender> place,
      TimerHandler onRate) {
    this.parts = parts;
    this.train = train;
    this.place = place;
    path = parts.context();
    frames = parts.frames();
    WorkerContext services = path.worker();
    ShapedScheduler<WorkerSchedule.Sender> shaped = shaped();
    scheduler = shaped.scheduler();
    shaper = shaped.shaper();
    flows =
        new SourceFlows(
            services.network().sourcePorts(),
            services.settings().nic().sendRate().flowBitsPerSecond(),
            services.network().packetOverheadBytes());
    release = new Timer(onRate, 0);
  }

  /** The order and the rate of the NIC in use. */
  private ShapedScheduler<WorkerSchedule.Sender> shaped() {
    WorkerContext services = path.worker();
    return services.schedule().of(services.network().endpointOf(path.destination()));
  }

  /** The driver keeps posts to the peer for later: only probes go until the driver lets go. */
  void onHeld(HoldCause cause) {
    if (!isHeld) {
      isHeld = true;
      heldSinceNs = path.nowNs();
      path.worker().events().onPeerHeld(path.worker().worker(), path.peer(), cause.text());
    }
  }

  /** The driver posts again, or has given up its posts. */
  void onLetGo() {
    if (isHeld) {
      isHeld = false;
      long heldNs = path.nowNs() - heldSinceNs;
      path.worker().events().onPeerLetGo(path.worker().worker(), path.peer(), heldNs);
    }
  }

  private boolean mustWait() {
    return isHeld && path.recovery().probesWanted() == 0;
  }

  /** The path goes by another rail: the rate of the rail's NIC counts from now on. */
  void onRail() {
    onLetGo();
    ShapedScheduler<WorkerSchedule.Sender> shaped = shaped();
    if (shaped.scheduler() != scheduler) {
      scheduler.remove(place);
      scheduler = shaped.scheduler();
      shaper = shaped.shaper();
      offer();
    }
  }

  /** A buffer may be free for a train of this level. */
  void resume(int level) {
    scheduler.activate(place, level);
  }

  /** Sets the source of bulk; {@code waiting} is the bulk waiting for memory. */
  void carry(BulkSource source, BulkSource.Demand waiting) {
    bulk = source;
    demand = waiting;
  }

  /** Sets the way of small packets. */
  void small(SmallPackets way) {
    small = way;
  }

  /** The bulk waiting for memory of the peer. */
  BulkSource.Demand demand() {
    return demand;
  }

  /** Whether frames or chunks wait that the peer will have to acknowledge. */
  boolean hasElicitingPackets() {
    return frames.sendableLevels() != 0 || bulk.chunkLevels() != 0;
  }

  /**
   * Takes a buffer for the next train or write; false for a path at its end or without a free
   * buffer.
   */
  boolean acquire() {
    isStalled = false;
    if (path.isOver()) {
      return false;
    }
    PathNetwork network = path.worker().network();
    endpoint = network.endpointOf(path.destination());
    acquired = network.acquireSendBuffer(endpoint);
    if (acquired == null) {
      isStalled = true;
      path.worker().counters().sendBufferStalls++;
    }
    return acquired != null;
  }

  /** Whether the last {@link #acquire} found no free buffer. */
  boolean isStalled() {
    return isStalled;
  }

  /**
   * Gives back the buffer of {@link #acquire}, unused. If a failed call has posted the buffer, the
   * buffer has another owner by now, and the path fails.
   */
  void giveBack() {
    SendBuffer unused = acquired;
    if (unused != null) {
      try {
        path.worker().network().releaseSendBuffer(endpoint, unused);
      } catch (RuntimeException | Error e) {
        path.onFault(e);
      }
    }
  }

  /**
   * Sends one train or write of {@code level} in the acquired buffer; false if no train and no
   * write may go.
   */
  boolean send(int level, long nowNs) {
    SendBuffer buffer = acquired;
    if (buffer == null || mustWait() || !parts.rails().mayCarry()) {
      return false;
    }
    boolean hasFrames = frames.peek(level) != null;
    boolean hasChunks = bulk.hasChunks(level);
    if (!hasFrames || !hasChunks) {
      aheadBytes[level] = 0;
    }
    if (isPaceMet(nowNs)) {
      boolean mayTakeFrames = flows.mayStart(nowNs);
      if (hasChunks
          && (!hasFrames || !mayTakeFrames || aheadBytes[level] > 0)
          && sendChunks(buffer, level, nowNs)) {
        return true;
      }
      flow = SourceFlows.FIRST;
      if (mayTakeFrames && train.build(parts, buffer, level, nowNs)) {
        post(buffer, train.length(), train.segmentLength(), nowNs);
        return true;
      }
      if (hasChunks && hasFrames && sendChunks(buffer, level, nowNs)) {
        return true;
      }
    }
    return (bulk.writeLevels() & 1 << level) != 0 && bulk.sendWrite(buffer, level, nowNs);
  }

  private boolean sendChunks(SendBuffer buffer, int level, long nowNs) {
    int bulkFlow = flows.bulk(nowNs);
    if (bulkFlow == SourceFlows.NONE) {
      return false;
    }
    flow = bulkFlow;
    if (!bulk.sendChunks(buffer, level, nowNs)) {
      return false;
    }
    flows.onBulk(bulkFlow);
    return true;
  }

  /**
   * Adds an acknowledgement and the waiting frames to a packet of chunks that lie under the seal;
   * returns the position behind the last frame.
   */
  public int append(SegmentBuffer out, int position, int end, int level) {
    return train.append(parts, out, position, end, level);
  }

  /** The most bytes of the train under construction; a packet goes in any case. */
  public int trainBytes(long nowNs) {
    int most = Math.min(shaper.trainBytes(nowNs), pacer.trainBytes(nowNs));
    return Math.min(most, flows.trainBytes(flow, nowNs));
  }

  /** Posts the built train, and counts the train for the rates. */
  public void post(SendBuffer buffer, int length, int segmentLength, long nowNs) {
    int packets = (length + segmentLength - 1) / segmentLength;
    shaper.onTrain(length, packets, nowNs);
    pacer.onTrain(length, nowNs);
    flows.onTrain(flow, length, packets, nowNs);
    PathNetwork network = path.worker().network();
    if (packets == 1 && small.post(buffer.buffer(), length)) {
      network.releaseSendBuffer(endpoint, buffer);
      return;
    }
    network.postSend(flow, path.destination(), buffer, length, segmentLength);
  }

  /** Posts the packet built last, which waits for no rate; the next train waits for this packet. */
  void postUrgent(SendBuffer buffer, int length) {
    long nowNs = path.nowNs();
    // The trial of a rail goes by another NIC than the one in use.
    shaped().shaper().onUrgent(length, nowNs);
    pacer.onUrgent(length, nowNs);
    flows.onUrgent(length, nowNs);
    path.worker().network().postPacket(path.destination(), buffer, length);
  }

  /** Frames of this level, or a packet begun for these frames, take this number of bytes. */
  void onFrames(int level, int bytes) {
    scheduler.charge(level, bytes);
    aheadBytes[level] = Math.min(aheadBytes[level] + bytes, MOST_AHEAD_BYTES);
  }

  /** Chunks of this level take this number of bytes. */
  public void onChunks(int level, int bytes) {
    scheduler.charge(level, bytes);
    aheadBytes[level] = Math.max(aheadBytes[level] - bytes, -MOST_AHEAD_BYTES);
  }

  /**
   * The path had its turn at this level.
   *
   * @param isSent whether a train or write went; if not, the level is not offered again before a
   *     change
   */
  void onTurn(int level, boolean isSent) {
    if (isSent) {
      offer(1 << level);
      return;
    }
    int waiting = frames.waitingLevels();
    int chunks = bulk.chunkLevels();
    if ((waiting | chunks) != 0 && openLevels(EVERY_LEVEL, chunks) == 0) {
      hold((waiting | chunks) & ~bulk.writeLevels(), 0);
    }
    if (!place.isQueued(level)) {
      hold((waiting | chunks | bulk.writeLevels()) & 1 << level, 0);
    }
  }

  /** A frame or chunk begins to wait at this level. */
  void onWaiting(int level) {
    if (place.heldLevels() == 0) {
      scheduler.activate(place, level);
    } else {
      offer();
    }
  }

  /**
   * Credit, the window or the waiting frames have changed: queues the levels that may go, and holds
   * the other levels.
   */
  public void offer() {
    offer(0);
  }

  private void offer(int servedLevels) {
    int waiting = frames.waitingLevels();
    int chunks = bulk.chunkLevels();
    int writes = bulk.writeLevels();
    int ready = mustWait() ? 0 : writes;
    int present = waiting | chunks | writes;
    if ((present | place.heldLevels()) == 0) {
      onNothingWaits();
      return;
    }
    if ((waiting | chunks) != 0) {
      ready |= openLevels(frames.sendableLevels(), chunks);
    }
    for (int left = ready; left != 0; left &= left - 1) {
      scheduler.activate(place, Integer.numberOfTrailingZeros(left));
    }
    hold(present & ~ready, servedLevels);
    for (int left = place.heldLevels() & ~present; left != 0; left &= left - 1) {
      scheduler.deactivate(place, Integer.numberOfTrailingZeros(left));
    }
  }

  private void hold(int levels, int servedLevels) {
    for (int left = levels; left != 0; left &= left - 1) {
      int level = Integer.numberOfTrailingZeros(left);
      if ((servedLevels & 1 << level) != 0) {
        scheduler.holdServed(place, level);
      } else {
        scheduler.hold(place, level);
      }
    }
  }

  /**
   * The levels among these that window and rates let go now; sets the timer if a rate lets none go.
   */
  private int openLevels(int waiting, int chunks) {
    if (mustWait() || !parts.maySend(parts.size().datagramBytes()) || !parts.rails().mayCarry()) {
      return 0;
    }
    long nowNs = path.nowNs();
    if (!isPaceMet(nowNs)) {
      releaseAt(pacer.nextTrainNs());
      return 0;
    }
    if (!flows.isLimited()) {
      return waiting | chunks;
    }
    boolean hasFlow = chunks != 0 && flows.bulk(nowNs) != SourceFlows.NONE;
    if (flows.mayStart(nowNs)) {
      return waiting | chunks;
    }
    releaseAt(hasFlow || chunks == 0 ? flows.nextTrainNs() : flows.nextBulkNs());
    return hasFlow ? chunks : 0;
  }

  /** Whether the pacer lets a train go; a probe does not wait for the pacer. */
  private boolean isPaceMet(long nowNs) {
    pacer.onRate(path.recovery().pacingRateBytesPerSecond());
    return pacer.mayStart(nowNs) || path.recovery().probesWanted() > 0;
  }

  private void releaseAt(long deadlineNs) {
    if (release.deadlineNs() != deadlineNs) {
      path.worker().counters().pacingWaits++;
      path.worker().time().paced().schedule(release, deadlineNs);
    }
  }

  private void onNothingWaits() {
    path.recovery().onApplicationLimited();
    pacer.onIdle();
    flows.onIdle();
  }

  /** The path is over. */
  void close() {
    onLetGo();
    scheduler.remove(place);
    path.worker().time().paced().cancel(release);
  }
}
