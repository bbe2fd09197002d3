package io.millrace.path.write;

import io.millrace.driver.SendBuffer;
import io.millrace.ends.PathCounters;
import io.millrace.path.packet.ItemOwner;
import io.millrace.path.packet.PathPackets;
import io.millrace.protocol.region.TokenCache;
import io.millrace.protocol.region.WriteToken;
import io.millrace.protocol.transfer.FrameQueue;
import org.jspecify.annotations.Nullable;

/**
 * Carries fills as chunks, and decides the order of a path's chunks. Lost chunks go first, then
 * records wanted again, then fills in the order in which they were begun, as far as authorised.
 * Worker's thread only; does not allocate in the steady state.
 */
final class PathChunks implements FillCarrier, ItemOwner {
  private final PathPackets path;
  private final ChunkTrain train;
  private final PathCounters counters;
  private final TokenCache tokens;
  private final WriteQueues[] levels;
  private final FillNotifications notifications;
  private @Nullable WriteFill chunkFill;
  private int chunkAt;
  private int chunkLength;

  /** The chunks over the tokens, notifications and queues of one path. */
  PathChunks(
      PathPackets path,
      ChunkTrain train,
      TokenCache tokens,
      Notifications notifications,
      WriteQueues[] levels) {
    this.path = path;
    this.train = train;
    this.tokens = tokens;
    this.levels = levels;
    counters = path.worker().counters();
    this.notifications = new FillNotifications(path, notifications, false);
  }

  @Override
  public boolean hasChunks(int level) {
    WriteQueues queues = levels[level];
    return !queues.lost.isEmpty() || !queues.wanted.isEmpty() || !queues.sending.isEmpty();
  }

  @Override
  public int chunkLevels() {
    int mask = 0;
    for (int level = 0; level < FrameQueue.LEVELS; level++) {
      if (hasChunks(level)) {
        mask |= 1 << level;
      }
    }
    return mask;
  }

  @Override
  public boolean sendChunks(SendBuffer buffer, int level, long nowNs) {
    return hasChunks(level) && train.send(path.parts(), this, buffer, level, nowNs);
  }

  @Override
  public boolean abandon(WriteFill fill) {
    return false;
  }

  @Override
  public void list(WriteFill fill) {
    int level = fill.body().terms().level();
    if (!fill.isListed() && fill.sendableBytes() > 0) {
      fill.setListed(true);
      levels[level].sending.addLast(fill);
      path.activate(level);
    }
  }

  /** Takes the next chunk of the level, at most {@code room} bytes; false without a chunk. */
  boolean takeChunk(int level, int room) {
    WriteQueues queues = levels[level];
    int most = Math.min(room, ChunkItem.MAX_LENGTH);
    return takeLost(queues, most) || takeWanted(queues, most) || takeFresh(queues, most);
  }

  private boolean takeLost(WriteQueues queues, int most) {
    while (!queues.lost.isEmpty()) {
      long item = queues.lost.peekLong();
      WriteFill fill = fillOf(item);
      int rest = ChunkItem.length(item) - queues.lostSentBytes;
      if (fill != null) {
        chunkFill = fill;
        chunkAt = ChunkItem.at(item) + queues.lostSentBytes;
        chunkLength = Math.min(rest, most);
        counters.chunkBytesRetransmitted += chunkLength;
      }
      if (fill == null || chunkLength == rest) {
        queues.lost.pollLong();
        queues.lostSentBytes = 0;
      } else {
        queues.lostSentBytes += chunkLength;
      }
      if (fill != null) {
        return true;
      }
    }
    return false;
  }

  private boolean takeWanted(WriteQueues queues, int most) {
    WriteFill fill = queues.wanted.peekFirst();
    if (fill == null) {
      return false;
    }
    chunkFill = fill;
    chunkAt = fill.wantedAt();
    chunkLength = Math.min(fill.wantedBytes(), most);
    fill.onWantedSent(chunkLength);
    if (!fill.hasWanted()) {
      queues.wanted.pollFirst();
    }
    return true;
  }

  private boolean takeFresh(WriteQueues queues, int most) {
    WriteFill fill = queues.sending.peekFirst();
    while (fill != null) {
      int sendable = fill.sendableBytes();
      if (sendable > 0) {
        chunkFill = fill;
        chunkAt = fill.sentBytes();
        chunkLength = Math.min(sendable, most);
        fill.onSent(chunkLength);
        if (chunkLength == sendable) {
          unlist(queues, fill);
        }
        return true;
      }
      unlist(queues, fill);
      fill = queues.sending.peekFirst();
    }
    return false;
  }

  private void unlist(WriteQueues queues, WriteFill fill) {
    queues.sending.pollFirst();
    fill.setListed(false);
    if (fill.sentBytes() == fill.lengthBytes()) {
      tokens.onWritten(fill.token());
      notifications.add(fill);
    }
  }

  /** The fill of the taken chunk. */
  WriteFill chunkFill() {
    WriteFill fill = chunkFill;
    if (fill == null) {
      throw new IllegalStateException("no chunk was taken");
    }
    return fill;
  }

  /** The offset of the chunk's first byte in the region. */
  int chunkAt() {
    return chunkAt;
  }

  /** The number of bytes of the chunk. */
  int chunkLength() {
    return chunkLength;
  }

  /** Whether the peer has yet to be told of a written fill. */
  boolean hasNotifications() {
    return notifications.hasWritten();
  }

  /**
   * A train was posted, or no train could be posted. The peer is told of the written fills, unless
   * more fills may end in this turn.
   *
   * @param mayGoOn whether chunks and then a notification may be sent in this turn
   */
  void onTrain(boolean mayGoOn) {
    if (!mayGoOn || chunkLevels() == 0 || notifications.isEnough()) {
      notifications.queue();
    }
  }

  /**
   * Whether the packet of the chunks taken last can take the notifications of the written fills,
   * because no chunk of the level is left. Then the notifications wait as frames.
   */
  boolean endsFills(int level) {
    if (hasChunks(level) || !notifications.hasWritten()) {
      return false;
    }
    notifications.queue();
    return true;
  }

  /** The turn ends: the peer is told of the fills written in this turn. */
  void endTurn() {
    notifications.queue();
  }

  private @Nullable WriteFill fillOf(long item) {
    WriteToken token = tokens.bySlot(ChunkItem.slot(item));
    return token != null
            && ChunkItem.isOfFill(item, token.fill())
            && token.use() instanceof WriteFill fill
            && !fill.isOver()
            // Another token may have taken the slot: then these bytes are not bytes sent before.
            && ChunkItem.at(item) + ChunkItem.length(item) <= fill.sentBytes()
        ? fill
        : null;
  }

  @Override
  public boolean onItemAcked(long item) {
    return true;
  }

  /**
   * Recovery does not know chunks one by one: two packets for the same chunk would make two chunks.
   */
  @Override
  public boolean onItemRetransmit(long item) {
    onItemLost(item);
    return true;
  }

  @Override
  public void onItemLost(long item) {
    WriteFill fill = fillOf(item);
    if (fill != null) {
      int level = fill.body().terms().level();
      levels[level].lost.addLong(item);
      path.activate(level);
    }
  }

  /** The peer found these records of the fill wrong, a bit for each record. */
  void onRecordsWanted(WriteFill fill, long records) {
    boolean isQueued = fill.hasWanted();
    counters.recordsRepeated += fill.want(records);
    if (!isQueued && fill.hasWanted()) {
      int level = fill.body().terms().level();
      levels[level].wanted.addLast(fill);
      path.activate(level);
    }
  }

  @Override
  public void forget(WriteFill fill, int level) {
    notifications.forget(fill);
    if (fill.hasWanted()) {
      levels[level].wanted.remove(fill);
      fill.clearWanted();
    }
    if (fill.isListed() && levels[level].sending.remove(fill)) {
      fill.setListed(false);
    }
  }

  @Override
  public void clear() {
    notifications.clear();
    for (WriteQueues queues : levels) {
      queues.sending.clear();
      queues.lost.clear();
      queues.wanted.clear();
    }
  }
}
