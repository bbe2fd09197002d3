package io.millrace.path.region;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.HeadSource;
import io.millrace.path.packet.ItemOwner;
import io.millrace.path.packet.PacketItems;
import io.millrace.path.packet.PacketLog;
import io.millrace.path.packet.PathContext;
import io.millrace.path.packet.PathPackets;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionHolder;
import io.millrace.protocol.region.RegionPool;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.GroupSizeEncoder;
import io.millrace.wire.codec.RegionDisposition;
import io.millrace.wire.codec.RegionExhaustedEncoder;
import io.millrace.wire.codec.RegionGrantEncoder;
import io.millrace.wire.codec.RegionRevokeEncoder;
import io.millrace.wire.codec.TransferAckEncoder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.IntArrayQueue;
import org.agrona.collections.LongArrayList;
import org.agrona.collections.LongArrayQueue;

/**
 * The frames of one path about the path's regions: consumed fills, grants, revocations, and the
 * lack of regions to grant. Entries wait here and go, many in one frame, at the head of the next
 * packet. The content is read when the packet is built, so never old. Worker's thread only;
 * allocates only during growth.
 */
final class RegionFrames implements HeadSource {
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
  private static final int EXHAUSTED_LENGTH =
      FrameStart.LENGTH + RegionExhaustedEncoder.BLOCK_LENGTH;

  /** A revoked region of which the peer must learn. */
  private static final class Revocation {
    private int region;
    private int fill;
    private long key;
    private boolean isFree = true;
  }

  private final PathContext path;
  private final RegionPool pool;
  private final RegionHolder holder;
  private final boolean isRevokeSent;
  private final TransferAckEncoder ack = new TransferAckEncoder();
  private final RegionGrantEncoder grant = new RegionGrantEncoder();
  private final RegionRevokeEncoder revoke = new RegionRevokeEncoder();
  private final RegionExhaustedEncoder exhausted = new RegionExhaustedEncoder();
  private final LongArrayQueue consumed = new LongArrayQueue(Long.MIN_VALUE);
  private final IntArrayQueue granted = new IntArrayQueue(Integer.MIN_VALUE);
  private final List<Revocation> revocations = new ArrayList<>();
  private final IntArrayQueue revoked = new IntArrayQueue(Integer.MIN_VALUE);

  /** Region and key of each void token of which the peer should hear. */
  private final LongArrayList voidTokens = new LongArrayList();

  private boolean isExhausted;
  private int requestSeen;

  RegionFrames(PathContext path, RegionPool pool, RegionHolder holder) {
    this.path = path;
    this.pool = pool;
    this.holder = holder;
    isRevokeSent = path.worker().settings().regions().revocation().isTold();
  }

  /** Registers as the owner of the frames' items. */
  void own(PathPackets packets) {
    ItemOwner items = new Items();
    packets.own(PacketItems.CONSUMED, items);
    packets.own(PacketItems.GRANT, items);
    packets.own(PacketItems.REVOKED, items);
  }

  void onGranted(ReceiveRegion region) {
    granted.addInt(region.index());
  }

  void onReused(ReceiveRegion region) {
    consumed.addLong(PacketItems.ofRegion(PacketItems.CONSUMED, region.index(), region.fill() - 1));
  }

  /**
   * The peer learns of the revocation for certain if the peer may wait for a fill of the region.
   */
  void onRevoked(int region, long key, int consumedFill, boolean isAnnounced) {
    if (consumedFill == 0 && !isAnnounced) {
      onVoid(region, key);
      return;
    }
    addRevocation(region, key, consumedFill);
  }

  /**
   * The peer announced a fill of a void token: the peer waits, so the revocation is told until its
   * arrival.
   */
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

  /** The peer used or holds a void token; told as best effort. */
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

  @Override
  public boolean isDue() {
    return !consumed.isEmpty()
        || !granted.isEmpty()
        || !revoked.isEmpty()
        || !voidTokens.isEmpty()
        || isExhausted;
  }

  /** Frees acknowledged revocations, and queues the entries of lost packets again. */
  private final class Items implements ItemOwner {
    @Override
    public boolean onItemAcked(long item) {
      if (PacketItems.kind(item) == PacketItems.REVOKED) {
        revocations.get((int) item).isFree = true;
      }
      return false;
    }

    @Override
    public void onItemLost(long item) {
      switch (PacketItems.kind(item)) {
        case PacketItems.CONSUMED -> {
          consumed.addLong(item);
          granted.addInt(PacketItems.region(item));
        }
        case PacketItems.GRANT -> granted.addInt(PacketItems.region(item));
        default -> revoked.addInt((int) item);
      }
      path.touch();
    }
  }

  @Override
  public int encode(SegmentBuffer out, int position, int end, PacketLog log) {
    int at = position;
    if (!consumed.isEmpty() || !revoked.isEmpty()) {
      at = encodeAck(out, at, end, log);
    }
    if (!granted.isEmpty()) {
      at = encodeGrant(out, at, end, log);
    }
    if (!voidTokens.isEmpty()) {
      at = encodeRevoke(out, at, end);
    }
    if (isExhausted && at + EXHAUSTED_LENGTH <= end) {
      at = encodeExhausted(out, at);
    }
    return at;
  }

  private int encodeExhausted(SegmentBuffer out, int at) {
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

  private int encodeAck(SegmentBuffer out, int at, int end, PacketLog log) {
    int most = Math.min(MOST_ENTRIES, (end - at - ACK_HEAD) / ACK_ENTRY);
    int count = 0;
    dropStale();
    int wanted = Math.min(most, consumed.size() + revoked.size());
    wanted = Math.min(wanted, log.itemsLeft());
    if (wanted <= 0) {
      return at;
    }
    ack.wrap(out, at + FrameStart.LENGTH);
    TransferAckEncoder.RegionsEncoder group = ack.regionsCount(wanted);
    while (count < wanted && !consumed.isEmpty()) {
      long item = consumed.pollLong();
      ReceiveRegion region = pool.region(PacketItems.region(item));
      group
          .next()
          .region(region.index())
          .fill(PacketItems.fill(item))
          .key(region.key())
          .authorisedBytes(region.authorisedBytes())
          .disposition(RegionDisposition.REUSE);
      log.addItem(item);
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
      log.addItem(PacketItems.of(PacketItems.REVOKED, slot));
      count++;
    }
    return frame(
        out, at, ack.limit(), TransferAckEncoder.BLOCK_LENGTH, TransferAckEncoder.TEMPLATE_ID);
  }

  /** Leaves out entries made untrue by a later revocation or a later fill. */
  private void dropStale() {
    for (int left = consumed.size(); left > 0; left--) {
      long item = consumed.pollLong();
      ReceiveRegion region = pool.region(PacketItems.region(item));
      if (region.holder() == holder
          && region.isGranted()
          && region.fill() == PacketItems.fill(item) + 1) {
        consumed.addLong(item);
      }
    }
  }

  private int encodeGrant(SegmentBuffer out, int at, int end, PacketLog log) {
    int most = Math.min(MOST_ENTRIES, (end - at - GRANT_HEAD) / GRANT_ENTRY);
    for (int left = granted.size(); left > 0; left--) {
      int index = granted.pollInt();
      ReceiveRegion region = pool.region(index);
      if (region.holder() == holder && region.isGranted() && region.notifiedBytes() < 0) {
        granted.addInt(index);
      }
    }
    int count = Math.min(Math.min(most, granted.size()), log.itemsLeft());
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
          .lifetimeMs(lifetimeMs(region))
          .endpoint((short) Math.max(region.endpoint(), 0))
          .remoteKey(region.remoteKey());
      log.addItem(PacketItems.ofRegion(PacketItems.GRANT, region.index(), region.fill()));
    }
    return frame(
        out, at, grant.limit(), RegionGrantEncoder.BLOCK_LENGTH, RegionGrantEncoder.TEMPLATE_ID);
  }

  /** Returns the lifetime in ms, at least 1: 0 would be without end. */
  private long lifetimeMs(ReceiveRegion region) {
    return Math.max(pool.lifetimeNs(region, path.nowNs()) / NANOS_PER_MILLI, 1);
  }

  private int encodeRevoke(SegmentBuffer out, int at, int end) {
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

  private static int frame(SegmentBuffer out, int at, int end, int blockLength, int templateId) {
    FrameStart.encode(out, at, end - at, blockLength, templateId);
    return end;
  }
}
