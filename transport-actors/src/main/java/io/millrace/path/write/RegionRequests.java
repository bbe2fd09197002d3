package io.millrace.path.write;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.HeadSource;
import io.millrace.path.packet.ItemOwner;
import io.millrace.path.packet.PacketItems;
import io.millrace.path.packet.PacketLog;
import io.millrace.path.packet.PathContext;
import io.millrace.protocol.region.TokenDemand;
import io.millrace.protocol.transfer.FrameQueue;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.GroupSizeEncoder;
import io.millrace.wire.codec.RequestRegionsEncoder;

/**
 * Asks the peer of one path for regions, at the head of the next packet; rules W-4 and W-13. The
 * content of a request is read when its packet is built. On the worker's thread; does not allocate.
 */
final class RegionRequests implements HeadSource, ItemOwner {
  private static final int LENGTH =
      FrameStart.LENGTH
          + RequestRegionsEncoder.BLOCK_LENGTH
          + GroupSizeEncoder.ENCODED_LENGTH
          + FrameQueue.LEVELS * RequestRegionsEncoder.WantsEncoder.sbeBlockLength();

  private final PathContext path;
  private final PathWrites writes;
  private final RequestRegionsEncoder request = new RequestRegionsEncoder();
  private boolean isWanted;

  RegionRequests(PathContext path, PathWrites writes) {
    this.path = path;
    this.writes = writes;
  }

  /** A request must go with the next packet. */
  void want() {
    isWanted = true;
    path.touch();
  }

  @Override
  public boolean isDue() {
    return isWanted;
  }

  @Override
  public int encode(SegmentBuffer out, int position, int end, PacketLog log) {
    if (position + LENGTH > end || log.itemsLeft() <= 0) {
      return position;
    }
    isWanted = false;
    TokenDemand demand = writes.demand();
    demand.onUsable(writes.usableBytes());
    demand.onPossessed(writes.tokens().possessedBytes(), path.nowNs());
    long aheadBytes = demand.aheadBytes(path.nowNs());
    path.worker().counters().requestsAhead += aheadBytes > 0 ? 1 : 0;
    path.worker().counters().data().tokensRequested(path.pathId(), aheadBytes);
    request
        .wrap(out, position + FrameStart.LENGTH)
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
    log.addItem(PacketItems.of(PacketItems.REQUEST, demand.requestId() & 0xFFFF_FFFFL));
    int limit = request.limit();
    FrameStart.encode(
        out,
        position,
        limit - position,
        RequestRegionsEncoder.BLOCK_LENGTH,
        RequestRegionsEncoder.TEMPLATE_ID);
    return limit;
  }

  @Override
  public void onItemLost(long item) {
    writes.demand().onLost((int) item);
    writes.onChanged();
  }
}
