package io.millrace.actor.peer;

import io.millrace.driver.SendBuffer;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.transfer.FrameQueue;

/**
 * Decides what the next train of one path carries, and at which levels the path is offered to the
 * scheduler of its worker. While both frames and chunks of a level wait they take turns, counted in
 * bytes of sealed packets: whoever has had less goes next. One-sided writes go after frames, whose
 * packets they do not compete with. What the congestion window or credit does not let go is held,
 * so that its level does not lose its turn. On the worker's thread; does not allocate.
 */
final class PathTrains {
  /** No more is made up for than a train. */
  private static final int MOST_AHEAD_BYTES = 64 << 10;

  private final PeerPath path;
  private final Schedulable<PeerPath> place;
  private final PriorityScheduler<PeerPath> scheduler;

  /** For each level, by how many bytes its frames are ahead of its chunks. */
  private final int[] aheadBytes = new int[FrameQueue.LEVELS];

  /** Over the place of {@code path} in the scheduler of its worker. */
  PathTrains(PeerPath path, Schedulable<PeerPath> place) {
    this.path = path;
    this.place = place;
    scheduler = path.services().scheduler();
  }

  /** Sends one train or write of {@code level}; false if nothing may go. */
  boolean send(SendBuffer buffer, int level, long nowNs) {
    boolean hasFrames = path.transfers().nextFrame(level) != null;
    boolean hasChunks = path.writes().chunks().hasChunks(level);
    if (!hasFrames || !hasChunks) {
      aheadBytes[level] = 0;
    }
    if (hasChunks && (!hasFrames || aheadBytes[level] > 0) && sendChunks(buffer, level, nowNs)) {
      return true;
    }
    if (path.services().train().build(path, buffer, level, nowNs)) {
      path.post(buffer);
      return true;
    }
    return path.writes().carrier().send(buffer, level, nowNs);
  }

  private boolean sendChunks(SendBuffer buffer, int level, long nowNs) {
    return path.writes().chunks().send(buffer, level, nowNs);
  }

  /** Frames of this level, or a packet that was begun for them, take so many bytes. */
  void onFrames(int level, int bytes) {
    scheduler.charge(level, bytes);
    aheadBytes[level] = Math.min(aheadBytes[level] + bytes, MOST_AHEAD_BYTES);
  }

  /** Chunks of this level take so many. */
  void onChunks(int level, int bytes) {
    scheduler.charge(level, bytes);
    aheadBytes[level] = Math.max(aheadBytes[level] - bytes, -MOST_AHEAD_BYTES);
  }

  /**
   * The path had its turn at this level.
   *
   * @param isSent whether anything went; if not, the level is not offered again before something
   *     changes
   */
  void onTurn(int level, boolean isSent) {
    if (isSent) {
      offer();
      return;
    }
    FillCarrier carrier = path.writes().carrier();
    int packets = path.transfers().frames().nonEmptyLevels() | carrier.packetLevels();
    if (!isWindowOpen()) {
      hold(packets & ~carrier.writeLevels());
    }
    if (!place.isQueued(level)) {
      hold((packets | carrier.writeLevels()) & 1 << level);
    }
  }

  /** Something waits at this level that did not before. */
  void onWaiting(int level) {
    if (place.heldLevels() == 0) {
      scheduler.activate(place, level);
    } else {
      offer();
    }
  }

  /** Credit, window or what waits has changed: what may go is queued, what may not is held. */
  void offer() {
    FillCarrier carrier = path.writes().carrier();
    int chunks = carrier.packetLevels();
    int ready = carrier.writeLevels();
    int present = path.transfers().frames().nonEmptyLevels() | chunks | ready;
    if ((present | place.heldLevels()) == 0) {
      return;
    }
    if (isWindowOpen()) {
      ready |= path.transfers().sendableLevels() | chunks;
    }
    for (int left = ready; left != 0; left &= left - 1) {
      scheduler.activate(place, Integer.numberOfTrailingZeros(left));
    }
    hold(present & ~ready);
    for (int left = place.heldLevels() & ~present; left != 0; left &= left - 1) {
      scheduler.deactivate(place, Integer.numberOfTrailingZeros(left));
    }
  }

  private void hold(int levels) {
    for (int left = levels; left != 0; left &= left - 1) {
      scheduler.hold(place, Integer.numberOfTrailingZeros(left));
    }
  }

  private boolean isWindowOpen() {
    return path.maySend(path.datagramBytes());
  }
}
