package io.millrace.actor.peer;

import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionHolder;
import io.millrace.protocol.region.RegionPool;
import io.millrace.protocol.region.TokenDemand;
import io.millrace.protocol.transfer.FrameQueue;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.GroupSizeEncoder;
import io.millrace.wire.codec.RegionDisposition;
import io.millrace.wire.codec.RegionExhaustedEncoder;
import io.millrace.wire.codec.RegionGrantEncoder;
import io.millrace.wire.codec.RegionRevokeEncoder;
import io.millrace.wire.codec.RequestRegionsEncoder;
import io.millrace.wire.codec.TransferAckEncoder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.IntArrayQueue;
import org.agrona.collections.LongArrayList;
import org.agrona.collections.LongArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What one path has to say about regions: consumed fills, grants, revocations, and what it wants of
 * the peer. Statements wait here and go, many in one frame, at the head of the next packet; what
 * they say is read when the packet is built, so it is never old. Worker's thread only; allocates
 * only while it grows.
 */
final class RegionStatements {
  private static final int MOST_ENTRIES = 255;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int ACK_HEAD =
      FrameStart.LENGTH + TransferAckEncoder.BLOCK_LENGTH + GroupSizeEncoder.ENCODED_LENGTH;
  private static final int ACK_ENTRY = TransferAckEncoder.RegionsEncoder.sbeBlockLength();
  private static final int GRANT_HEAD =
      FrameStart.LENGTH + RegionGrantEncoder.BLOCK_LENGTH + GroupSizeEncoder.ENCODED_LENGTH;
  private static final int GRANT_ENTRY = RegionGrantEncoder.TokensEncoder.sbeBlockLength();
  private static final int REVOKE_HEAD =
      FrameStart.LENGTH + RegionRevokeEncoder.BLOCK_LENGTH + GroupSizeEncoder.ENCODED_LENGTH;
  private static final int REVOKE_ENTRY = RegionRevokeEncoder.RegionsEncoder.sbeBlockLength();
  private static final int REQUEST_LENGTH =
      FrameStart.LENGTH
          + RequestRegionsEncoder.BLOCK_LENGTH
          + GroupSizeEncoder.ENCODED_LENGTH
          + FrameQueue.LEVELS * RequestRegionsEncoder.WantsEncoder.sbeBlockLength();
  private static final int EXHAUSTED_LENGTH =
      FrameStart.LENGTH + RegionExhaustedEncoder.BLOCK_LENGTH;

  /** A revoked region of which the peer must learn. */
  private static final class Revocation {
    private int region;
    private int fill;
    private long key;
    private boolean isFree = true;
  }

  private final PeerPath path;
  private final RegionPool pool;
  private final RegionHolder holder;
  private final boolean isRevokeSent;
  private final TransferAckEncoder ack = new TransferAckEncoder();
  private final RegionGrantEncoder grant = new RegionGrantEncoder();
  private final RegionRevokeEncoder revoke = new RegionRevokeEncoder();
  private final RegionExhaustedEncoder exhausted = new RegionExhaustedEncoder();
  private final RequestRegionsEncoder request = new RequestRegionsEncoder();
  private final LongArrayQueue consumed = new LongArrayQueue(Long.MIN_VALUE);
  private final IntArrayQueue granted = new IntArrayQueue(Integer.MIN_VALUE);
  private final List<Revocation> revocations = new ArrayList<>();
  private final IntArrayQueue revoked = new IntArrayQueue(Integer.MIN_VALUE);

  /** Region and key of each void token that the peer should hear of. */
  private final LongArrayList voidTokens = new LongArrayList();

  private boolean isExhausted;
  private boolean isRequestWanted;
  private int requestSeen;

  RegionStatements(PeerPath path, RegionPool pool, RegionHolder holder) {
    this.path = path;
    this.pool = pool;
    this.holder = holder;
    isRevokeSent = path.services().settings().regions().revocation().isTold();
  }

  void onGranted(ReceiveRegion region) {
    granted.addInt(region.index());
  }

  void onReused(ReceiveRegion region) {
    consumed.addLong(WriteItems.ofRegion(WriteItems.CONSUMED, region.index(), region.fill() - 1));
  }

  /** The peer learns of it for certain if it has to do with a fill that it may wait for. */
  void onRevoked(int region, long key, int consumedFill, boolean isAnnounced) {
    if (consumedFill == 0 && !isAnnounced) {
      onVoid(region, key);
      return;
    }
    addRevocation(region, key, consumedFill);
  }

  /** The peer announced a fill of a void token: it waits, so this is told until it has arrived. */
  void onVoidAnnounced(int region, long key) {
    int underWay = 0;
    for (Revocation known : revocations) {
      if (!known.isFree && known.key == key) {
        return;
      }
      underWay += known.isFree ? 0 : 1;
    }
    if (underWay < MOST_ENTRIES) {
      addRevocation(region, key, 0);
    } else {
      onVoid(region, key);
    }
  }

  private void addRevocation(int region, long key, int consumedFill) {
    int slot = 0;
    while (slot < revocations.size() && !revocations.get(slot).isFree) {
      slot++;
    }
    if (slot == revocations.size()) {
      revocations.add(new Revocation());
    }
    Revocation revocation = revocations.get(slot);
    revocation.isFree = false;
    revocation.region = region;
    revocation.key = key;
    revocation.fill = consumedFill;
    revoked.addInt(slot);
  }

  /** The peer used or holds a token that is void; told as best effort. */
  void onVoid(int region, long key) {
    if (isRevokeSent && voidTokens.size() < 2 * MOST_ENTRIES) {
      voidTokens.addLong(region);
      voidTokens.addLong(key);
    }
  }

  void onExhausted() {
    isExhausted = true;
  }

  void onRequestSeen(int requestId) {
    requestSeen = requestId;
  }

  void wantRequest() {
    isRequestWanted = true;
  }

  /** Whether there is something to say. */
  boolean isDue() {
    return !consumed.isEmpty()
        || !granted.isEmpty()
        || !revoked.isEmpty()
        || !voidTokens.isEmpty()
        || isExhausted
        || isRequestWanted;
  }

  /** A packet with this statement was lost. */
  void onLost(long item) {
    switch ((int) (item >>> 56)) {
      case WriteItems.CONSUMED -> {
        consumed.addLong(item);
        granted.addInt(WriteItems.region(item));
      }
      case WriteItems.GRANT -> granted.addInt(WriteItems.region(item));
      case WriteItems.REVOKED -> revoked.addInt((int) item);
      case WriteItems.REQUEST -> {
        path.writes().demand().onLost((int) item);
        path.onWritesChanged();
      }
      default -> {}
    }
  }

  /** A packet with this statement arrived. */
  void onAcked(long item) {
    if ((int) (item >>> 56) == WriteItems.REVOKED) {
      revocations.get((int) item).isFree = true;
    }
  }

  /** Writes what fits between {@code position} and {@code end}; returns the position behind it. */
  int encode(UnsafeBuffer out, int position, int end, TrainBuilder train) {
    int at = position;
    if (!consumed.isEmpty() || !revoked.isEmpty()) {
      at = encodeAck(out, at, end, train);
    }
    if (!granted.isEmpty()) {
      at = encodeGrant(out, at, end, train);
    }
    if (!voidTokens.isEmpty()) {
      at = encodeRevoke(out, at, end);
    }
    if (isExhausted && at + EXHAUSTED_LENGTH <= end) {
      at = encodeExhausted(out, at);
    }
    if (isRequestWanted && at + REQUEST_LENGTH <= end && train.itemsLeft(path) > 0) {
      at = encodeRequest(out, at, train);
    }
    return at;
  }

  private int encodeExhausted(UnsafeBuffer out, int at) {
    isExhausted = false;
    if (holder.regionCount() > 0 || holder.demandBytes() == 0) {
      return at;
    }
    long estimateNs = pool.estimateNs(holder, path.nowNs());
    exhausted
        .wrap(out, at + FrameStart.LENGTH)
        .requestId(requestSeen)
        .estimateMs((estimateNs + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
    return frame(
        out,
        at,
        exhausted.limit(),
        RegionExhaustedEncoder.BLOCK_LENGTH,
        RegionExhaustedEncoder.TEMPLATE_ID);
  }

  private int encodeAck(UnsafeBuffer out, int at, int end, TrainBuilder train) {
    int most = Math.min(MOST_ENTRIES, (end - at - ACK_HEAD) / ACK_ENTRY);
    int count = 0;
    dropStale();
    int wanted = Math.min(most, consumed.size() + revoked.size());
    wanted = Math.min(wanted, train.itemsLeft(path));
    if (wanted <= 0) {
      return at;
    }
    ack.wrap(out, at + FrameStart.LENGTH);
    TransferAckEncoder.RegionsEncoder group = ack.regionsCount(wanted);
    while (count < wanted && !consumed.isEmpty()) {
      long item = consumed.pollLong();
      ReceiveRegion region = pool.region(WriteItems.region(item));
      group
          .next()
          .region(region.index())
          .fill(WriteItems.fill(item))
          .key(region.key())
          .authorisedBytes(region.authorisedBytes())
          .disposition(RegionDisposition.REUSE);
      train.addItem(path, item);
      count++;
    }
    while (count < wanted) {
      int slot = revoked.pollInt();
      Revocation revocation = revocations.get(slot);
      group
          .next()
          .region(revocation.region)
          .fill(revocation.fill)
          .key(revocation.key)
          .authorisedBytes(0)
          .disposition(RegionDisposition.REVOKED);
      train.addItem(path, ((long) WriteItems.REVOKED << 56) | slot);
      count++;
    }
    return frame(
        out, at, ack.limit(), TransferAckEncoder.BLOCK_LENGTH, TransferAckEncoder.TEMPLATE_ID);
  }

  /** Leaves out what a later revocation or a later fill made untrue. */
  private void dropStale() {
    for (int left = consumed.size(); left > 0; left--) {
      long item = consumed.pollLong();
      ReceiveRegion region = pool.region(WriteItems.region(item));
      if (region.holder() == holder
          && region.isGranted()
          && region.fill() == WriteItems.fill(item) + 1) {
        consumed.addLong(item);
      }
    }
  }

  private int encodeGrant(UnsafeBuffer out, int at, int end, TrainBuilder train) {
    int most = Math.min(MOST_ENTRIES, (end - at - GRANT_HEAD) / GRANT_ENTRY);
    for (int left = granted.size(); left > 0; left--) {
      int index = granted.pollInt();
      ReceiveRegion region = pool.region(index);
      if (region.holder() == holder && region.isGranted() && region.notifiedBytes() < 0) {
        granted.addInt(index);
      }
    }
    int count = Math.min(Math.min(most, granted.size()), train.itemsLeft(path));
    if (count <= 0) {
      return at;
    }
    grant.wrap(out, at + FrameStart.LENGTH).requestId(requestSeen);
    RegionGrantEncoder.TokensEncoder group = grant.tokensCount(count);
    for (int i = 0; i < count; i++) {
      ReceiveRegion region = pool.region(granted.pollInt());
      group
          .next()
          .region(region.index())
          .fill(region.fill())
          .key(region.key())
          .address(region.address())
          .sizeBytes(region.sizeBytes())
          .authorisedBytes(region.authorisedBytes())
          .lifetimeMs(lifetimeMs(region));
      train.addItem(path, WriteItems.ofRegion(WriteItems.GRANT, region.index(), region.fill()));
    }
    return frame(
        out, at, grant.limit(), RegionGrantEncoder.BLOCK_LENGTH, RegionGrantEncoder.TEMPLATE_ID);
  }

  /** Not 0, which would be without end. */
  private long lifetimeMs(ReceiveRegion region) {
    return Math.max(pool.lifetimeNs(region, path.nowNs()) / NANOS_PER_MILLI, 1);
  }

  private int encodeRevoke(UnsafeBuffer out, int at, int end) {
    int most = Math.min(MOST_ENTRIES, (end - at - REVOKE_HEAD) / REVOKE_ENTRY);
    int count = Math.min(most, voidTokens.size() / 2);
    if (count <= 0) {
      return at;
    }
    revoke.wrap(out, at + FrameStart.LENGTH);
    RegionRevokeEncoder.RegionsEncoder group = revoke.regionsCount(count);
    for (int i = 0; i < count; i++) {
      long key = voidTokens.popLong();
      group.next().region(voidTokens.popLong()).key(key);
    }
    return frame(
        out, at, revoke.limit(), RegionRevokeEncoder.BLOCK_LENGTH, RegionRevokeEncoder.TEMPLATE_ID);
  }

  private int encodeRequest(UnsafeBuffer out, int at, TrainBuilder train) {
    TokenDemand demand = path.writes().demand();
    isRequestWanted = false;
    demand.onUsable(path.writes().usableBytes());
    demand.onPossessed(path.writes().tokens().possessedBytes(), path.nowNs());
    long aheadBytes = demand.aheadBytes(path.nowNs());
    path.services().counters().requestsAhead += aheadBytes > 0 ? 1 : 0;
    request
        .wrap(out, at + FrameStart.LENGTH)
        .requestId(demand.nextRequestId())
        .aheadBytes(aheadBytes);
    RequestRegionsEncoder.WantsEncoder group = request.wantsCount(FrameQueue.LEVELS);
    for (int level = 0; level < FrameQueue.LEVELS; level++) {
      group
          .next()
          .priority((short) level)
          .bytes(demand.wantedBytes(level))
          .largestBytes(demand.largestBytes(level));
    }
    demand.onTold(path.nowNs());
    train.addItem(path, ((long) WriteItems.REQUEST << 56) | demand.requestId());
    return frame(
        out,
        at,
        request.limit(),
        RequestRegionsEncoder.BLOCK_LENGTH,
        RequestRegionsEncoder.TEMPLATE_ID);
  }

  private static int frame(UnsafeBuffer out, int at, int end, int blockLength, int templateId) {
    FrameStart.encode(out, at, end - at, blockLength, templateId);
    return end;
  }
}
