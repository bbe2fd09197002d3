package io.millrace.path.write;

import io.millrace.body.OutboundBody;
import io.millrace.body.SealedRecords;
import io.millrace.protocol.region.TokenDemand;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of one path waiting for tokens, their turns, and the number of bytes for which tokens
 * are wanted. Bodies of the same priority take turns; in each body, the fills taken back go first.
 * When announced fills of a body are taken back, the body is restricted. The body may then have as
 * many fills at the peer as were left there. Each fill taken out since allows another fill ({@link
 * OutboundBody#restrict} counts these fills); rule W-14. Worker's thread only; does not allocate in
 * the steady state.
 */
final class WaitingBodies {
  private final TokenDemand demand;
  private final WriteQueues[] levels;
  private final List<WriteFill> open;
  private final long mostBytesBack;
  private long bytesBack;

  /**
   * A path without waiting bodies.
   *
   * @param open fills at the peer or on their way
   * @param mostBytesBack the limit for sealed bytes taken back and waiting. Beyond the limit every
   *     body of the path is held to the pace at which the peer takes its bytes
   */
  WaitingBodies(
      TokenDemand demand, WriteQueues[] levels, List<WriteFill> open, long mostBytesBack) {
    this.demand = demand;
    this.levels = levels;
    this.open = open;
    this.mostBytesBack = mostBytesBack;
  }

  /** More bytes of the body may wait now, or more bytes may be placed. */
  void onChanged(OutboundBody body) {
    recount(body);
    if (!body.isWaiting() && isAble(body)) {
      body.setWaiting(true);
      levels[body.terms().level()].waiting.addLast(body);
    }
  }

  /** The body in turn at this level, or null if no body waits with a right to write. */
  @Nullable OutboundBody next(int level) {
    ArrayDeque<OutboundBody> waiting = levels[level].waiting;
    OutboundBody body = waiting.peekFirst();
    while (body != null) {
      if (bytesBack >= mostBytesBack && !body.isRestricted()) {
        body.restrict();
        recount(body);
      }
      if (isAble(body)) {
        return body;
      }
      waiting.pollFirst();
      body.setWaiting(false);
      body = waiting.peekFirst();
    }
    return null;
  }

  /** Records of the body in turn have been placed. */
  void onPlaced(OutboundBody body) {
    ArrayDeque<OutboundBody> waiting = levels[body.terms().level()].waiting;
    if (waiting.size() > 1) {
      waiting.addLast(waiting.pollFirst());
    }
    recount(body);
  }

  /** The peer took a fill of the body out. */
  void onTakenOut(OutboundBody body) {
    if (body.isRestricted()) {
      body.earn();
      onChanged(body);
    }
  }

  /** The fill needs another region; the region of the fill was revoked. */
  void onBack(WriteFill fill) {
    OutboundBody body = fill.body();
    body.onFillBack(fill.lengthBytes());
    bytesBack += fill.lengthBytes();
    if (fill.isWritten()) {
      body.restrict();
    }
    List<WriteFill> orphans = levels[body.terms().level()].orphans;
    int index = orphans.size();
    while (index > 0 && orphans.get(index - 1).position() > fill.position()) {
      index--;
    }
    orphans.add(index, fill);
    onChanged(body);
  }

  /** The first fill of the body in need of another region, or null. */
  @Nullable WriteFill orphanOf(OutboundBody body) {
    List<WriteFill> orphans = levels[body.terms().level()].orphans;
    for (int i = 0; body.fillsBack() > 0 && i < orphans.size(); i++) {
      if (orphans.get(i).body() == body) {
        return orphans.get(i);
      }
    }
    return null;
  }

  /** The whole fill has a region again. */
  void onPlacedAgain(WriteFill fill) {
    levels[fill.body().terms().level()].orphans.remove(fill);
    fill.body().onPlacedAgain(fill.lengthBytes(), true);
    bytesBack -= fill.lengthBytes();
  }

  /** The first bytes of the fill have a region again, as a fill of their own. */
  void onSplit(WriteFill fill, int bytes) {
    fill.body().onFillSplit();
    fill.body().onPlacedAgain(bytes, false);
    bytesBack -= bytes;
    fill.leaveOut(bytes);
  }

  /** The body is over. */
  void drop(OutboundBody body) {
    WriteFill orphan = orphanOf(body);
    while (orphan != null) {
      onPlacedAgain(orphan);
      orphan.clear();
      orphan = orphanOf(body);
    }
    recount(body);
  }

  /** The path is over: every waiting body lets go of its memory. */
  void close() {
    for (WriteQueues queues : levels) {
      for (WriteFill fill : queues.orphans) {
        fill.body().finish();
        fill.clear();
      }
      queues.orphans.clear();
      OutboundBody body;
      while ((body = queues.waiting.pollFirst()) != null) {
        body.finish();
      }
    }
  }

  private boolean isAble(OutboundBody body) {
    return !body.isOver() && (body.head() != null || body.fillsBack() > 0) && !isHeld(body);
  }

  /**
   * The first bytes not taken out by the peer may go in any case: the peer may wait for these
   * bytes.
   */
  private boolean isHeld(OutboundBody body) {
    return body.isRestricted() && !body.hasRoom() && !isFirstBack(body);
  }

  private boolean isFirstBack(OutboundBody body) {
    WriteFill first = orphanOf(body);
    if (first == null) {
      return false;
    }
    for (int i = 0; i < open.size(); i++) {
      WriteFill other = open.get(i);
      if (other.body() == body && other.position() < first.position()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Asks for no bytes that could not be placed; for a restricted body, asks for the bytes of one
   * fill.
   */
  private void recount(OutboundBody body) {
    long wanted = 0;
    int fillBytes = 0;
    if (isAble(body)) {
      fillBytes = nextFillBytes(body);
      long all = body.queuedBytes() + body.bytesBack();
      wanted = body.isRestricted() ? Math.min(fillBytes, all) : all;
    }
    long change = wanted - body.wantedBytes();
    if (change != 0) {
      body.wantedBytes(wanted);
      demand.onDesired(body.terms().level(), change, fillBytes);
    }
  }

  /** The length of the longest fill known to come, and no less than the next fill. */
  private int nextFillBytes(OutboundBody body) {
    WriteFill orphan = orphanOf(body);
    SealedRecords head = body.head();
    int fillBytes = orphan == null ? 0 : orphan.lengthBytes();
    if (head != null) {
      fillBytes = Math.max(fillBytes, head.lengthBytes() - body.headUsedBytes());
      fillBytes = Math.max(fillBytes, body.newest().lengthBytes());
    }
    return fillBytes;
  }
}
