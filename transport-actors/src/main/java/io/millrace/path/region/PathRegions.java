package io.millrace.path.region;

import io.millrace.body.BodyOpener;
import io.millrace.body.BodyTerms;
import io.millrace.body.InboundFill;
import io.millrace.crypto.Records;
import io.millrace.ends.PathCounters;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.network.Rail;
import io.millrace.path.packet.HeadSource;
import io.millrace.path.packet.PathContext;
import io.millrace.path.packet.PathFrames;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.path.packet.WorkerContext;
import io.millrace.protocol.region.NotifyVerdict;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionHolder;
import io.millrace.protocol.region.RegionPool;
import io.millrace.protocol.region.RegionState;
import io.millrace.protocol.region.WriteToken;
import io.millrace.protocol.region.WriteVerdict;
import io.millrace.transfer.Protection;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.WriteNotifyDecoder;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one path's peer into this worker's regions. Chunks are checked and land, and
 * notifications are compared with the landed bytes. Complete fills go to their bodies, and consumed
 * fills go back to the peer. Rules W-1 to W-10. Worker's thread only; does not allocate in the
 * steady state.
 */
public final class PathRegions implements InboundFill.Receiver {
  /**
   * Two probe intervals: a grant may be lost once, and the first bytes under the grant take as long
   * again.
   */
  private static final int ANSWER_INTERVALS = 2;

  /** No endpoint: the peer's writes come as chunks in packets. */
  private static final int BY_PACKETS = -1;

  private static final int LONGEST_KEY = 32;
  private static final int SHORTEST_KEY = 16;

  private final PathContext path;
  private final PathFrames frames;
  private InboundBodies bodies = InboundBodies.NONE;
  private final PathCounters counters;
  private final WorkerRegions regions;
  private final RegionPool pool;
  private final RegionHolder holder;
  private final RegionFrames regionFrames;
  private int newestRequest;
  private long staleChunks;
  private long staleNotices;

  /** No region is granted yet. */
  public PathRegions(PathPackets packets, WorkerRegions regions) {
    path = packets;
    frames = packets.frames();
    this.regions = regions;
    counters = path.worker().counters();
    pool = regions.pool();
    holder = pool.open(this);
    regionFrames = new RegionFrames(path, pool, holder);
    regionFrames.own(packets);
  }

  /** The path goes by this rail from now on: regions are granted for writes by the rail. */
  public void onRail(Rail rail) {
    holder.endpoint(rail.isOneSided() ? rail.local() : BY_PACKETS);
  }

  /** Sets the receiver of the bodies. */
  public void deliverTo(InboundBodies inbound) {
    bodies = inbound;
  }

  /** The frames about the path's regions, at the head of packets. */
  public HeadSource regionFrames() {
    return regionFrames;
  }

  /** The path in the view of the region pool. */
  public RegionHolder holder() {
    return holder;
  }

  /**
   * A chunk arrived.
   *
   * @return false if the chunk must count as not received, so that the peer sends the chunk again
   */
  boolean onChunk(
      int region, int fill, long key, long at, long length, SegmentBuffer from, int offset) {
    WriteVerdict verdict = pool.check(holder, region, fill, key, at, length);
    if (verdict != WriteVerdict.OK) {
      onRejected(verdict, region, key);
      return true;
    }
    return land(region, fill, key, at, length, from, offset);
  }

  private boolean land(
      int region, int fill, long key, long at, long length, SegmentBuffer from, int offset) {
    ReceiveRegion target = pool.region(region);
    int fresh = pool.onWritten(target, (int) at, (int) length, path.nowNs());
    if (fresh < 0) {
      return false;
    }
    if (fresh > 0) {
      regions.watcher().onLanding(holder, target, fill, key, (int) at, (int) length);
      regions.memory(region).put((int) at, from, offset, (int) length);
      counters.bodyBytesReceived += fresh;
      if (pool.isComplete(target)) {
        handOver(target);
      }
    }
    return true;
  }

  /**
   * As {@link #onChunk}, for bytes outside the seal of their packet. Such bytes, sent before a
   * record of the fill was found bad, would spoil the record again; rule W-9.
   */
  boolean onBareChunk(
      int region, int fill, long key, long at, long length, SegmentBuffer from, int offset) {
    WriteVerdict verdict = pool.check(holder, region, fill, key, at, length);
    if (verdict != WriteVerdict.OK) {
      onRejected(verdict, region, key);
      return true;
    }
    if (pool.region(region).isSpoiled()) {
      counters.chunksStale++;
      onStale(++staleChunks, "NOT_COVERED", region);
      return true;
    }
    return land(region, fill, key, at, length, from, offset);
  }

  private void onRejected(WriteVerdict verdict, int region, long key) {
    switch (verdict) {
      case STALE_FILL, ALREADY_CONSUMING -> {
        counters.chunksStale++;
        onStale(++staleChunks, verdict.name(), region);
      }
      case REVOKED, NOT_OWNER, WRONG_KEY, UNKNOWN_REGION -> {
        counters.writesRejected++;
        regionFrames.onVoid(region, key);
        path.touch();
        onWriteRejected(verdict.name(), region);
      }
      default -> {
        counters.writesRejected++;
        onWriteRejected(verdict.name(), region);
      }
    }
  }

  private void onWriteRejected(String reason, int region) {
    WorkerContext worker = path.worker();
    worker.events().onWriteRejected(worker.worker(), path.peer(), reason, region);
  }

  /** The network repeats and delays packets of honest peers, so not every stale write is told. */
  private void onStale(long count, String reason, int region) {
    if (Long.bitCount(count) == 1) {
      WorkerContext worker = path.worker();
      worker.events().onStaleWrite(worker.worker(), path.peer(), reason, region, count);
    }
  }

  /** A request for regions; false if a newer request was seen. */
  boolean onRequest(int requestId) {
    if (requestId - newestRequest <= 0) {
      return false;
    }
    newestRequest = requestId;
    regionFrames.onRequestSeen(requestId);
    if (path.recovery().rtt().hasSample()) {
      regions.budget().onRtt(path.recovery().rtt().minNs());
    }
    pool.onAnswerTime(holder, ANSWER_INTERVALS * path.recovery().probeIntervalNs());
    if (pool.isStarved(holder, path.nowNs())) {
      relinquishAll();
    }
    return true;
  }

  /**
   * Every region of the peer may hold later bytes, with no region left for the missing earlier
   * bytes.
   */
  private void relinquishAll() {
    for (int index = 0; index < pool.regionCount(); index++) {
      ReceiveRegion region = pool.region(index);
      if (region.holder() == holder
          && region.isRead()
          && region.attachment() instanceof InboundFill fill) {
        BodyOpener opener = fill.opener();
        if (opener != null) {
          opener.relinquish();
        }
      }
    }
  }

  /** The demand of the request at one priority. */
  void onWant(int priority, long bytes, int largestBytes) {
    pool.onDemand(holder, priority, bytes, largestBytes);
  }

  /** The demand of the request ahead of need. */
  void onAhead(long bytes) {
    pool.onAhead(holder, bytes);
  }

  /**
   * The peer is expected to write these bytes soon; negative after the write, or after the end of
   * the expectation.
   */
  public void onExpected(long deltaBytes) {
    pool.onExpected(holder, deltaBytes);
  }

  /** A notification arrived; {@code tags} and {@code dataKey} lie in {@code buffer}. */
  void onNotify(WriteNotifyDecoder notification, SegmentBuffer buffer, RegionReader.Span span) {
    requireLengths(notification.headersBytes(), notification.bodyBytes());
    boolean isResponse = (notification.flags() & WriteFlags.RESPONSE) != 0;
    boolean isEnd = (notification.flags() & WriteFlags.END) != 0;
    boolean isReturned = (notification.flags() & WriteFlags.RETURNED) != 0;
    BodyOpener opener = bodies.begun(notification.transferId(), isResponse);
    requireBuffer(opener, notification);
    boolean isBegun = opener != null || isReturned;
    long position = notification.position();
    long nonce = notification.firstNonce();
    int tagsAt = span.tagsAt();
    WriteNotifyDecoder.RegionsDecoder group = notification.regions();
    int count = group.count();
    for (int i = 0; i < count; i++) {
      group.next();
      int length = (int) group.lengthBytes();
      int records = (length + Records.RECORD_BYTES - 1) / Records.RECORD_BYTES;
      int region = (int) group.region();
      NotifyVerdict verdict =
          pool.onNotified(holder, region, (int) group.fill(), group.key(), length);
      if (verdict == NotifyVerdict.OK && isReturned) {
        pool.revoke(pool.region(region), path.nowNs(), regions);
      } else if (verdict == NotifyVerdict.OK) {
        if (!isBegun) {
          opener = bodies.begin(terms(notification, isResponse));
          requireBuffer(opener, notification);
          isBegun = true;
        }
        if (length > 0 && (notification.flags() & WriteFlags.PLACED) != 0) {
          onPlaced(pool.region(region), length);
        }
        InboundFill fill = regions.takeFill();
        fill.start(this, region, regions.memory(region), length, notification.priority());
        fill.describe(position, nonce, isEnd && i == count - 1);
        copy(fill, buffer, span, tagsAt, records);
        onNotified(pool.region(region), fill, opener);
      } else {
        onRefused(verdict, region, group.key());
      }
      position += length;
      nonce += records;
      tagsAt += records * Records.TAG_BYTES;
    }
    // A later reader of this memory must not find the key.
    buffer.setMemory(span.keyAt(), span.keyLength(), (byte) 0);
    if (count == 0 && isEnd) {
      onEnd(isBegun ? opener : bodies.begin(terms(notification, isResponse)), notification);
    }
  }

  /** Checks that the sender of the body has not placed the buffer elsewhere before; rule W-17. */
  private static void requireBuffer(@Nullable BodyOpener opener, WriteNotifyDecoder notification) {
    long id = notification.bufferId();
    if (opener != null
        && !opener.named().accept(id, notification.position(), notification.firstNonce())) {
      throw new ProtocolViolationException(
          "a notification puts buffer " + id + " elsewhere than the notification before");
    }
  }

  /** The end of a body, told by a notification without fills. */
  private void onEnd(@Nullable BodyOpener opener, WriteNotifyDecoder notification) {
    if (opener != null && opener.takeEnd()) {
      InboundFill fill = regions.takeFill();
      fill.start(this, -1, null, 0, notification.priority());
      fill.describe(notification.position(), notification.firstNonce(), true);
      fill.assign(opener);
      opener.offer(fill);
    }
  }

  /** A NIC has put the bytes at their place. */
  private void onPlaced(ReceiveRegion region, int length) {
    if (region.address() == WriteToken.CHUNKS_ONLY) {
      throw new ProtocolViolationException("bytes were placed in a region that no NIC can reach");
    }
    int fresh = pool.onWritten(region, 0, length, path.nowNs());
    regions.watcher().onLanding(holder, region, region.fill(), region.key(), 0, length);
    counters.bodyBytesReceived += Math.max(fresh, 0);
  }

  private static BodyTerms terms(WriteNotifyDecoder notification, boolean isResponse) {
    return new BodyTerms(
        notification.transferId(),
        isResponse,
        notification.route(),
        notification.pattern(),
        notification.priority(),
        notification.priority(),
        notification.statusRaw(),
        (int) notification.headersBytes(),
        notification.bodyBytes(),
        (notification.flags() & WriteFlags.AUTHENTICATED) == 0
            ? Protection.SEALED
            : Protection.AUTHENTICATED);
  }

  /** Memory for a claim of a peer is allocated only after the claim was held against the limits. */
  private void requireLengths(long headersBytes, long bodyBytes) {
    int most = path.worker().settings().limits().headersBytes();
    if (headersBytes > most || (bodyBytes != BodyTerms.UNKNOWN && bodyBytes < headersBytes)) {
      throw new ProtocolViolationException(
          "a body of " + bodyBytes + " bytes with " + headersBytes + " of headers");
    }
  }

  private void copy(
      InboundFill fill, SegmentBuffer buffer, RegionReader.Span span, int tagsAt, int records) {
    int keyLength = span.keyLength();
    if (keyLength > LONGEST_KEY || (records > 0 && keyLength < SHORTEST_KEY)) {
      throw new ProtocolViolationException("a data key has " + keyLength + " bytes");
    }
    buffer.getBytes(span.keyAt(), fill.dataKey(keyLength), 0, keyLength);
    fill.keysNamedBy(path.retirements().names());
    buffer.getBytes(tagsAt, fill.tags(), 0, records * Records.TAG_BYTES);
  }

  private void onNotified(ReceiveRegion region, InboundFill fill, @Nullable BodyOpener opener) {
    region.attachment(fill);
    if (opener == null || opener.isDiscarded() || fill.lengthBytes() == 0) {
      discard(region, fill);
      return;
    }
    fill.assign(opener);
    if (pool.isComplete(region)) {
      handOver(region);
    }
  }

  private void onRefused(NotifyVerdict verdict, int region, long key) {
    switch (verdict) {
      case DUPLICATE, STALE -> {
        counters.duplicateNotifications++;
        onStale(++staleNotices, verdict.name(), region);
      }
      case REVOKED -> onVoidAnnounced(region, key);
      case FORGED_OWNER, FORGED_KEY -> {
        counters.writesRejected++;
        onVoidAnnounced(region, key);
        onWriteRejected(verdict.name(), region);
      }
      default -> {
        counters.writesRejected++;
        onWriteRejected(verdict.name(), region);
      }
    }
  }

  /**
   * An honest sender has not heard that the token is void and waits; no other frame will ask again.
   */
  private void onVoidAnnounced(int region, long key) {
    regionFrames.onVoidAnnounced(region, key);
    path.touch();
  }

  private void handOver(ReceiveRegion region) {
    if (region.attachment() instanceof InboundFill fill) {
      BodyOpener opener = fill.opener();
      pool.onConsuming(region);
      regions.watcher().onConsuming(region, regions.memory(region.index()));
      if (opener != null) {
        path.worker().dataKeys().onUse();
        opener.offer(fill);
      }
    }
  }

  /** Nobody wants these bytes: the region is free at once, with or without all bytes. */
  private void discard(ReceiveRegion region, InboundFill fill) {
    pool.onDiscarded(region);
    regions.watcher().onConsuming(region, regions.memory(region.index()));
    onConsumed(fill, path.nowNs());
  }

  /** The body will not be opened any further: lets go of the fills not held by the opener. */
  public void discardAllOf(@Nullable BodyOpener opener) {
    if (opener == null || path.isEnded()) {
      return;
    }
    path.touch();
    opener.onDiscarded();
    for (int index = 0; index < pool.regionCount(); index++) {
      ReceiveRegion region = pool.region(index);
      if (region.holder() == holder
          && region.isGranted()
          && region.state() != RegionState.CONSUMING
          && region.attachment() instanceof InboundFill fill
          && fill.opener() == opener) {
        discard(region, fill);
      }
    }
  }

  @Override
  public void onConsumed(InboundFill fill, long nowNs) {
    int region = fill.region();
    if (region >= 0) {
      counters.fillsConsumed++;
      regions.watcher().onConsumed(pool.region(region), regions.memory(region));
      pool.onConsumed(pool.region(region), nowNs, regions);
    }
    regions.putBack(fill);
    path.touch();
  }

  @Override
  public void onWithdrawn(InboundFill fill, long nowNs) {
    giveUp(fill, nowNs);
    regions.putBack(fill);
  }

  private void giveUp(InboundFill fill, long nowNs) {
    ReceiveRegion region = pool.region(fill.region());
    counters.fillsWithdrawn++;
    regions.watcher().onConsumed(region, regions.memory(region.index()));
    pool.onFailed(region, nowNs, regions);
    path.touch();
  }

  /**
   * Takes a fill from the body for which the fill waits, unless the opener has begun with the fill.
   */
  void takeBack(InboundFill fill, BodyOpener opener, long nowNs) {
    if (fill.takeBack()) {
      giveUp(fill, nowNs);
      opener.onTakenBack();
    }
  }

  @Override
  public void onReturned(InboundFill fill) {
    BodyOpener opener = fill.opener();
    if (opener != null) {
      opener.pace().onReturned();
    }
    regions.putBack(fill);
  }

  @Override
  public void onRecordBad(InboundFill fill, int record, long nowNs) {
    ReceiveRegion region = pool.region(fill.region());
    counters.recordsNotAuthentic++;
    WorkerContext worker = path.worker();
    worker.events().onRecordNotAuthentic(worker.worker(), path.peer(), fill.region(), record);
    int at = record * Records.RECORD_BYTES;
    int length = Math.min(Records.RECORD_BYTES, fill.lengthBytes() - at);
    regions.watcher().onConsumed(region, regions.memory(region.index()));
    if (!pool.onRecordBad(region, at, length, nowNs)) {
      pool.onFailed(region, nowNs, regions);
      regions.putBack(fill);
    }
    path.touch();
  }

  @Override
  public void onFault(Throwable fault) {
    path.onFault(fault);
  }

  void onGranted(ReceiveRegion region) {
    counters.tokensGranted++;
    counters.data().tokenGranted(path.pathId(), region.index(), region.sizeBytes());
    counters.tokensGrantedAhead += region.isAhead() ? 1 : 0;
    regionFrames.onGranted(region);
    path.touch();
  }

  void onReused(ReceiveRegion region) {
    regionFrames.onReused(region);
    path.touch();
  }

  void onRevoked(int region, long key, int consumedFill) {
    counters.tokensRevoked++;
    counters.data().tokenRevoked(path.pathId(), region);
    // The sender may have written and announced all bytes, and would not notice a void key by
    // itself. Nor would a sender whose fill waits for the authorisation of a record's rest; rule
    // C-7.
    boolean isAwaited = regions.budget().isBounded() || pool.region(region).notifiedBytes() >= 0;
    if (pool.region(region).attachment() instanceof InboundFill fill) {
      // The fill did not come to the opener; the key of the fill is erased.
      pool.region(region).attachment(null);
      regions.putBack(fill);
    }
    regionFrames.onRevoked(region, key, consumedFill, isAwaited);
    path.touch();
  }

  void onExhausted() {
    counters.grantsExhausted++;
    counters.data().grantsExhausted(path.pathId());
    regionFrames.onExhausted();
    path.touch();
  }

  void onRepair(ReceiveRegion region, long records) {
    frames.sendRare(new RecordRequestFrame(region, records));
  }

  /**
   * The peer does not answer: other peers get the peer's regions, and the peer gets no region until
   * the peer is heard of. Fills that cannot be opened before the peer is heard of go back, too.
   */
  public void onSuspected() {
    relinquishAll();
    pool.onHolderSuspected(holder, path.nowNs(), regions);
    path.touch();
  }

  /** The peer was heard of. */
  public void onTrusted() {
    pool.onHolderTrusted(holder);
    path.touch();
  }

  /** The path is over: the peer may write nothing more. */
  public void close() {
    pool.onHolderClosed(holder, path.nowNs(), regions);
  }
}
