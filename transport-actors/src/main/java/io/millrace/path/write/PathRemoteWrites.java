package io.millrace.path.write;

import io.millrace.body.BodyTerms;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.SendBuffer;
import io.millrace.ends.PathCounters;
import io.millrace.path.network.PathNetwork;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.packet.WorkerSchedule;
import io.millrace.protocol.region.TokenCache;
import io.millrace.protocol.region.WriteToken;
import io.millrace.protocol.schedule.ShapedScheduler;
import io.millrace.protocol.transfer.FrameQueue;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Carries the fills of one path by one-sided writes. Tells the peer of a fill after all writes of
 * the fill are complete; rules O-1 to O-4. Chunks carry records wanted again, and fills of regions
 * beyond the reach of a NIC. Worker's thread only; does not allocate in the steady state.
 */
final class PathRemoteWrites implements FillCarrier, WriteBatch.Owner {
  private static final long FIRST_PAUSE_NS = 1_000_000;
  private static final int MOST_DOUBLINGS = 7;

  /** Shorter writes are not worth their post, however low the rate of the NIC is. */
  private static final int LEAST_WRITE_BYTES = 4_096;

  private final PathPackets path;
  private final Owner owner;
  private final PathChunks chunks;
  private final RemoteWrites worker;
  private final PathCounters counters;
  private final FillNotifications notifications;
  private final ArrayDeque<WriteFill>[] sending = queues();
  private final ArrayDeque<WriteFill> relisted = new ArrayDeque<>();
  private final ArrayDeque<WriteBatch> free = new ArrayDeque<>();
  private long retryNs = RemoteWrites.RETRY_NS;
  private int failuresInRow;
  private long pausedUntilNs;
  private boolean isPaused;
  private boolean isWaiting;

  /** The path side of the fills. */
  interface Owner {
    /** Tokens of the peer's regions. */
    TokenCache tokens();

    /** Notifications of the path. */
    Notifications notifications();

    /** The token is void: the fill of the token needs another token. */
    void onRevoked(int region, long key);

    /**
     * No byte of a given-up fill lands any more. After a failed write no such promise holds, and
     * the peer must take the region back.
     */
    void onDrained(WriteToken token, BodyTerms terms, boolean isFailed);
  }

  PathRemoteWrites(PathPackets path, Owner owner, PathChunks chunks, RemoteWrites worker) {
    this.path = path;
    this.owner = owner;
    this.chunks = chunks;
    this.worker = worker;
    counters = path.worker().counters();
    notifications = new FillNotifications(path, owner.notifications(), true);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of queues of the same kind
  private static ArrayDeque<WriteFill>[] queues() {
    ArrayDeque<WriteFill>[] queues = new ArrayDeque[FrameQueue.LEVELS];
    for (int level = 0; level < queues.length; level++) {
      queues[level] = new ArrayDeque<>();
    }
    return queues;
  }

  @Override
  public int destination() {
    return path.worker().network().writeDestination(path.destination());
  }

  @Override
  public void list(WriteFill fill) {
    if (fill.batch() == null && !isWritable(fill)) {
      chunks.list(fill);
    } else if (!fill.isListed() && fill.sendableBytes() > 0) {
      int level = fill.body().terms().level();
      fill.setListed(true);
      sending[level].addLast(fill);
      path.activate(level);
    }
  }

  /**
   * Whether the fill goes by writes. A fill with chunks already sent goes on as chunks, as does a
   * fill whose bytes a packet must cover.
   */
  private boolean isWritable(WriteFill fill) {
    return fill.sentBytes() == 0
        && !fill.body().isCovered()
        && fill.token().address() != WriteToken.CHUNKS_ONLY
        && isReachable(fill.token())
        && worker.canWrite(endpoint(), fill, path.nowNs());
  }

  /** Whether writes of the rail in use reach the region of the token: its NIC knows the key. */
  private boolean isReachable(WriteToken token) {
    PathNetwork network = path.worker().network();
    return isOneSided() && token.endpoint() == network.remoteEndpointOf(path.destination());
  }

  /** The worker's endpoint in use. */
  private int endpoint() {
    return path.worker().network().endpointOf(path.destination());
  }

  private boolean isOneSided() {
    return path.worker().network().isOneSided(path.destination());
  }

  /**
   * Fills being written by another rail go into another region: their writes may land still. All
   * other fills are listed anew, as writes of the rail in use or as chunks.
   */
  @Override
  public void onRail(List<WriteFill> open) {
    for (WriteFill fill : List.copyOf(open)) {
      WriteBatch batch = fill.batch();
      if (batch != null
          && batch.phase() == WriteBatch.Phase.WRITING
          && !(batch.endpoint() == endpoint() && isReachable(batch.token()))) {
        leaveRegion(fill);
      }
    }
    // Failures by the former rail say nothing of this rail.
    failuresInRow = 0;
    isPaused = false;
    retryNs = RemoteWrites.RETRY_NS;
    for (ArrayDeque<WriteFill> queue : sending) {
      WriteFill fill;
      while ((fill = queue.pollFirst()) != null) {
        fill.setListed(false);
        relisted.addLast(fill);
      }
    }
    WriteFill fill;
    while ((fill = relisted.pollFirst()) != null) {
      list(fill);
    }
  }

  @Override
  public int chunkLevels() {
    return chunks.chunkLevels();
  }

  @Override
  public boolean hasChunks(int level) {
    return chunks.hasChunks(level);
  }

  @Override
  public boolean sendChunks(SendBuffer buffer, int level, long nowNs) {
    return chunks.sendChunks(buffer, level, nowNs);
  }

  @Override
  public int writeLevels() {
    int mask = 0;
    for (int level = 0; level < sending.length; level++) {
      mask |= sending[level].isEmpty() ? 0 : 1 << level;
    }
    return mask;
  }

  @Override
  public boolean sendWrite(SendBuffer buffer, int level, long nowNs) {
    if (isPaused && nowNs - pausedUntilNs < 0) {
      worker.waitUntil(this, pausedUntilNs);
      return false;
    }
    isPaused = false;
    if (!isOneSided() || !post(sending[level], level, nowNs)) {
      return false;
    }
    PathNetwork network = path.worker().network();
    network.releaseSendBuffer(network.endpointOf(path.destination()), buffer);
    if (!sending[level].isEmpty()) {
      path.activate(level);
    }
    return true;
  }

  private boolean post(ArrayDeque<WriteFill> queue, int level, long nowNs) {
    WriteFill fill = queue.peekFirst();
    while (fill != null) {
      int length = Math.min(fill.contiguousBytes(), mostBytes(nowNs));
      if (length > 0) {
        switch (worker.post(batchOf(fill), fill, length, nowNs)) {
          case POSTED -> {
            onPosted(queue, level, length, nowNs);
            return true;
          }
          case NO_ROOM -> {
            counters.remoteWriteStalls++;
            worker.waitUntil(this, nowNs + retryNs);
            retryNs = Math.min(2 * retryNs, RemoteWrites.LONGEST_RETRY_NS);
            return false;
          }
          case NOT_REGISTERED -> {
            queue.pollFirst();
            fill.setListed(false);
            goByChunks(fill);
            worker.waitUntil(this, nowNs);
          }
        }
      } else {
        unlist(queue, fill);
      }
      fill = queue.peekFirst();
    }
    return false;
  }

  private void onPosted(ArrayDeque<WriteFill> queue, int level, int length, long nowNs) {
    retryNs = RemoteWrites.RETRY_NS;
    WriteFill fill = queue.getFirst();
    fill.onSent(length);
    schedule().scheduler().charge(level, length);
    schedule().shaper().onTrain(length, 1, nowNs);
    counters.payloadBytesSent += length;
    if (fill.sendableBytes() == 0) {
      unlist(queue, fill);
    }
  }

  /**
   * Chunks go into the same region only if no write of the fill can land in the region any more.
   */
  private void goByChunks(WriteFill fill) {
    if (fill.sentBytes() == 0) {
      detach(fill, WriteBatch.Phase.LEFT);
      chunks.list(fill);
    } else {
      leaveRegion(fill);
    }
  }

  /** The fill goes on in another region. */
  private void leaveRegion(WriteFill fill) {
    WriteToken token = fill.token();
    detach(fill, WriteBatch.Phase.FAILED);
    owner.onRevoked(token.region(), token.key());
  }

  private int mostBytes(long nowNs) {
    return Math.max(LEAST_WRITE_BYTES, schedule().shaper().trainBytes(nowNs));
  }

  /** The order and the rate of the NIC in use, which writes share with packets. */
  private ShapedScheduler<WorkerSchedule.Sender> schedule() {
    WorkerContext context = path.worker();
    return context.schedule().of(context.network().endpointOf(path.destination()));
  }

  private void unlist(ArrayDeque<WriteFill> queue, WriteFill fill) {
    queue.pollFirst();
    fill.setListed(false);
    if (fill.sentBytes() == fill.lengthBytes()) {
      owner.tokens().onWritten(fill.token());
    }
  }

  private WriteBatch batchOf(WriteFill fill) {
    WriteBatch batch = fill.batch();
    if (batch == null) {
      batch = free.pollLast();
      batch = batch == null ? new WriteBatch(this) : batch;
      batch.start(fill, endpoint());
      fill.batch(batch);
    }
    return batch;
  }

  /** Tells the peer of the fills completed in this turn. */
  void tell() {
    if (!path.isOver()) {
      notifications.queue();
    }
  }

  /** The NIC may have room again, or the pause is over. */
  void onRoom() {
    isWaiting = false;
    if (!path.isOver()) {
      path.parts().trains().offer();
      path.touch();
    }
  }

  /** Returns whether the path waited already; the path waits from now on. */
  boolean startWaiting() {
    boolean was = isWaiting;
    isWaiting = true;
    return was;
  }

  /**
   * The driver is done with a write of {@code batch}. An exception in the handling stays with the
   * path.
   */
  @Override
  public void onWriteEnded(WriteBatch batch, int length, int status, long nowNs) {
    try {
      path.onTurn(nowNs);
      onEnded(batch, length, status, nowNs);
    } catch (RuntimeException | Error e) {
      path.onFault(e);
    }
  }

  private void onEnded(WriteBatch batch, int length, int status, long nowNs) {
    batch.onEnded();
    WriteFill fill = batch.fill();
    if (status != CompletionHandler.STATUS_OK) {
      onFailed(batch, status, nowNs);
    } else {
      failuresInRow = 0;
      if (batch.onDone(length) == (fill == null ? -1 : fill.lengthBytes()) && fill != null) {
        detach(fill, WriteBatch.Phase.LEFT);
        notifications.add(fill);
        worker.tellLater(this);
        return;
      }
    }
    settle(batch);
  }

  private void onFailed(WriteBatch batch, int status, long nowNs) {
    counters.remoteWritesFailed++;
    WriteFill fill = batch.fill();
    if (batch.phase() == WriteBatch.Phase.LEFT || batch.phase() == WriteBatch.Phase.FAILED) {
      return;
    }
    // A key unknown to the peer's NIC lets no write land, and the peer knows that the key is void.
    boolean mayLand = status != CompletionHandler.STATUS_REMOTE_ACCESS;
    batch.leave(mayLand ? WriteBatch.Phase.FAILED : WriteBatch.Phase.LEFT);
    if (fill != null) {
      fill.batch(null);
    }
    pause(nowNs);
    owner.onRevoked(batch.token().region(), batch.token().key());
  }

  /** The first failure may be a revocation; a path with repeated failures waits. */
  private void pause(long nowNs) {
    if (failuresInRow > 0 && !isPaused) {
      isPaused = true;
      int doublings = Math.min(failuresInRow - 1, MOST_DOUBLINGS);
      pausedUntilNs = nowNs + (FIRST_PAUSE_NS << doublings);
    }
    failuresInRow++;
  }

  /** Tells the peer of a given-up region as soon as no write can land in the region. */
  private void settle(WriteBatch batch) {
    if (batch.isUnderWay() || batch.fill() != null) {
      return;
    }
    if (batch.isFree()) {
      throw new IllegalStateException("a batch of writes has ended twice");
    }
    WriteBatch.Phase phase = batch.phase();
    if (!path.isOver()
        && (phase == WriteBatch.Phase.GIVEN_UP || phase == WriteBatch.Phase.FAILED)
        && batch.isCurrent()) {
      owner.onDrained(batch.token(), batch.terms(), phase == WriteBatch.Phase.FAILED);
    }
    batch.clear();
    free.addLast(batch);
  }

  @Override
  public boolean abandon(WriteFill fill) {
    WriteBatch batch = fill.batch();
    boolean isUnderWay = batch != null && batch.isUnderWay();
    if (isUnderWay) {
      detach(fill, WriteBatch.Phase.GIVEN_UP);
    }
    return isUnderWay;
  }

  @Override
  public void forget(WriteFill fill, int level) {
    notifications.forget(fill);
    if (fill.isListed() && sending[level].remove(fill)) {
      fill.setListed(false);
    }
    chunks.forget(fill, level);
    detach(fill, WriteBatch.Phase.LEFT);
  }

  private void detach(WriteFill fill, WriteBatch.Phase phase) {
    WriteBatch batch = fill.batch();
    if (batch != null) {
      fill.batch(null);
      batch.leave(phase);
      settle(batch);
    }
  }

  @Override
  public void clear() {
    notifications.clear();
    chunks.clear();
    for (ArrayDeque<WriteFill> queue : sending) {
      queue.clear();
    }
  }
}
