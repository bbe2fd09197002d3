package io.millrace.path.write;

import io.millrace.body.BodyTerms;
import io.millrace.body.OutboundBody;
import io.millrace.body.SealedRecords;
import io.millrace.config.TransferSettings;
import io.millrace.crypto.Records;
import io.millrace.ends.AllSteps;
import io.millrace.ends.PathCounters;
import io.millrace.event.LatencyStage;
import io.millrace.path.packet.BulkSource;
import io.millrace.path.packet.HeadSource;
import io.millrace.path.packet.ItemOwner;
import io.millrace.path.packet.PacketItems;
import io.millrace.path.packet.PathFrames;
import io.millrace.path.packet.PathPackets;
import io.millrace.protocol.region.TokenCache;
import io.millrace.protocol.region.TokenDemand;
import io.millrace.protocol.region.TokenGrant;
import io.millrace.protocol.region.TokenState;
import io.millrace.protocol.region.WriteToken;
import io.millrace.protocol.transfer.FrameQueue;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.wire.codec.RegionDisposition;
import io.millrace.wire.codec.RegionGrantDecoder;
import io.millrace.wire.codec.TransferAckDecoder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writes of this side into the peer's regions. Sealed records get tokens, fills are cut into
 * chunks, written fills are notified, and acknowledged fills let their bytes go. Rules W-1 to W-10.
 * Worker's thread only; does not allocate in the steady state.
 */
public final class PathWrites
    implements BulkSource.Demand, OutboundBody.Carrier, PathRemoteWrites.Owner {
  /** The most tokens kept; the peer takes back further idle tokens. */
  private static final int MAX_TOKENS = 1_024;

  private static final long REFRESH_NS = 1_000_000_000L;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final PathPackets path;
  private final PathFrames frames;
  private SentBodies bodies = SentBodies.NONE;
  private final RegionRequests requests;
  private final PathCounters counters;
  private final TokenCache tokens = new TokenCache(MAX_TOKENS);
  private final TokenDemand demand;
  private final TokenGrant grant = new TokenGrant();
  private final WriteQueues[] levels = WriteQueues.ofLevels();
  private final Notifications notifications = new Notifications();
  private final List<WriteFill> open = new ArrayList<>();
  private final WaitingBodies waiting;
  private final ArrayDeque<WriteFill> free = new ArrayDeque<>();
  private final PathChunks chunks;
  private final FillCarrier carrier;
  private boolean isFragmented;
  private boolean isChanged;

  /** Nothing is written yet. */
  public PathWrites(PathPackets path, WorkerWrites worker) {
    this.path = path;
    frames = path.frames();
    counters = path.worker().counters();
    demand = new TokenDemand(REFRESH_NS, path.pathId());
    TransferSettings settings = path.worker().settings().transfers();
    demand.askAhead(settings.prefetchBytes());
    waiting = new WaitingBodies(demand, levels, open, settings.windowBytes());
    chunks = new PathChunks(path, worker.train(), tokens, notifications, levels);
    carrier = worker.open(path, this, chunks);
    requests = new RegionRequests(path, this);
    path.own(PacketItems.CHUNK, chunks);
    path.own(PacketItems.NOTIFY, new NotificationItems());
    path.own(PacketItems.REQUEST, requests);
  }

  /** Hears of the acknowledgements and losses of notifications. */
  private final class NotificationItems extends ItemOwner.OfFrames {
    private NotificationItems() {
      super(frames);
    }

    @Override
    protected @Nullable OutboundFrame find(long item) {
      return notifications.find(item);
    }

    @Override
    public boolean onItemAcked(long item) {
      Notification notification = notifications.find(item);
      if (notification == null) {
        return false;
      }
      OutboundBody body = notification.endOf();
      notifications.onOver(notification);
      if (body != null) {
        onEndDelivered(body);
      }
      return true;
    }
  }

  /** Sets the listener for the ends of the bodies. */
  public void reportTo(SentBodies listener) {
    bodies = listener;
  }

  /** The requests for regions, at the head of packets. */
  public HeadSource requests() {
    return requests;
  }

  /** The carrier of the fills' bytes, beside frames. */
  public BulkSource bulk() {
    return carrier;
  }

  /** Tokens of the peer's regions. */
  @Override
  public TokenCache tokens() {
    return tokens;
  }

  /** The number of fills being written, or written and not yet acknowledged. */
  public int openFills() {
    return open.size();
  }

  @Override
  public long queuedBytes() {
    return demand.desiredBytes();
  }

  /** The bytes waiting for regions, and the times of requests for more regions. */
  TokenDemand demand() {
    return demand;
  }

  @Override
  public Notifications notifications() {
    return notifications;
  }

  /** The time at which a request for tokens becomes due without any other event. */
  @Override
  public long nextDeadlineNs() {
    return demand.nextDeadlineNs();
  }

  @Override
  public void onSealed(OutboundBody body) {
    path.worker().dataKeys().onUse();
    if (!body.isStaged()) {
      body.onWaiting(path.turnNs());
    }
    waiting.onChanged(body);
    onChanged();
  }

  /** Records were sealed, or tokens came: waiting records may be placed. */
  void onChanged() {
    isChanged = true;
    path.touch();
  }

  @Override
  public void onTimer(long nowNs) {
    isChanged |= demand.nextDeadlineNs() <= nowNs;
  }

  @Override
  public void onSourceFailed(OutboundBody body, String text) {
    bodies.onSourceFailed(body, text);
  }

  @Override
  public void onFault(Throwable fault) {
    path.onFault(fault);
  }

  /** The turn ends: the peer is told of the written fills, and waiting records are placed. */
  @Override
  public void endTurn(long nowNs) {
    boolean isPlacing = isChanged;
    isChanged = false;
    chunks.endTurn();
    if (isPlacing) {
      place(nowNs);
    }
  }

  /**
   * Gives tokens to waiting bodies, the best priority first; asks for more tokens if too few are
   * left.
   */
  void place(long nowNs) {
    boolean hasTokens = true;
    isFragmented = false;
    for (int level = 0; level < FrameQueue.LEVELS; level++) {
      OutboundBody body = waiting.next(level);
      while (body != null && placeNext(body, hasTokens, nowNs)) {
        body = waiting.next(level);
      }
      hasTokens &= body == null;
    }
    demand.onUsable(usableBytes());
    demand.onPossessed(tokens.possessedBytes(), nowNs);
    if (demand.isRequestDue(nowNs)) {
      requests.want();
    }
  }

  /** Places the next records of the body in turn; false if the level must wait. */
  private boolean placeNext(OutboundBody body, boolean hasTokens, long nowNs) {
    WriteFill orphan = waiting.orphanOf(body);
    if (orphan == null) {
      return placeHead(body, hasTokens, nowNs);
    }
    int left = orphan.lengthBytes();
    WriteToken token = hasTokens ? acquire(left, nowNs) : null;
    if (token == null) {
      return false;
    }
    int length = fitting(left, token);
    if (length == left) {
      waiting.onPlacedAgain(orphan);
      orphan.restart(token);
      begin(orphan);
    } else {
      WriteFill first = take();
      first.start(body, orphan.sealed(), orphan.offset(), length, token);
      waiting.onSplit(orphan, length);
      begin(first);
    }
    waiting.onPlaced(body);
    return true;
  }

  private boolean placeHead(OutboundBody body, boolean hasTokens, long nowNs) {
    SealedRecords sealed = body.head();
    if (sealed == null) {
      throw new IllegalStateException("nothing of the body waits");
    }
    if (sealed.lengthBytes() == 0) {
      Notification notification = notifications.take();
      notification.startEmpty(body.terms(), sealed.position());
      notification.endAlone(body);
      body.onPlaced(0);
      frames.queueFirst(notification);
      waiting.onPlaced(body);
      return true;
    }
    int left = sealed.lengthBytes() - body.headUsedBytes();
    WriteToken token = hasTokens ? acquire(left, nowNs) : null;
    if (token == null) {
      return false;
    }
    WriteFill fill = take();
    int length = fitting(left, token);
    fill.start(body, sealed, body.headUsedBytes(), length, token);
    body.onPlaced(length);
    record(LatencyStage.GRANT_WAIT, body, body.takeGrantWaitNs(nowNs));
    begin(fill);
    waiting.onPlaced(body);
    return true;
  }

  private void record(LatencyStage stage, OutboundBody body, long tookNs) {
    if (tookNs >= 0) {
      BodyTerms terms = body.terms();
      counters.latencies().record(stage, terms.pattern(), terms.priority(), tookNs);
    }
  }

  /** Returns a token with room for a record at least, or for all bytes left. */
  private @Nullable WriteToken acquire(int left, long nowNs) {
    WriteToken token = tokens.acquire(left, nowNs, path.recovery().probeIntervalNs());
    if (token != null && fitting(left, token) == 0) {
      tokens.release(token);
      isFragmented = true;
      return null;
    }
    return token;
  }

  /**
   * Returns the bytes of a fill: whole records, all authorised. Where the peer bounds the bytes
   * under way, a single record with authorised first bytes is enough, and the peer is asked for the
   * rest.
   */
  private int fitting(int left, WriteToken token) {
    int most = token.authorisedBytes();
    if (left <= most) {
      return left;
    }
    int records = most - most % Records.RECORD_BYTES;
    int record = Math.min(left, Records.RECORD_BYTES);
    boolean mayBegin = most > 0 && record <= token.sizeBytes() && frames.answersCost();
    return records == 0 && mayBegin ? record : records;
  }

  /** The bytes usable under cached tokens; 0, if the best token cannot hold a record. */
  long usableBytes() {
    return isFragmented ? 0 : tokens.usableBytes();
  }

  private void begin(WriteFill fill) {
    fill.token().use(fill);
    open.add(fill);
    owe(fill, fill.lengthBytes() - fill.token().authorisedBytes());
    demand.onUsed(fill.lengthBytes(), path.nowNs());
    carrier.list(fill);
  }

  /**
   * This number of bytes of the fill waits for a larger allowance of the token; the peer is asked
   * for the allowance.
   */
  private void owe(WriteFill fill, int bytes) {
    int owed = Math.max(bytes, 0);
    int change = owed - fill.owedBytes();
    if (change != 0) {
      demand.onOwed(fill.body().terms().level(), change, fill.lengthBytes());
      fill.owedBytes(owed);
    }
  }

  /**
   * A token, or a larger allowance of a token: as the next entry of {@code frame}'s group says.
   *
   * @param namesEndpoint whether the entry names an endpoint that takes one-sided writes
   */
  void onGrant(int requestId, RegionGrantDecoder.TokensDecoder entry, boolean namesEndpoint) {
    int authorised = (int) entry.authorisedBytes();
    grant
        .of((int) entry.region(), (int) entry.fill(), entry.key())
        .with(
            namesEndpoint ? entry.address() : WriteToken.CHUNKS_ONLY,
            (int) entry.sizeBytes(),
            authorised,
            entry.lifetimeMs());
    if (namesEndpoint) {
      grant.at(entry.endpoint(), entry.remoteKey());
    }
    WriteToken token = tokens.onGrant(grant, path.nowNs());
    demand.onAuthorised(requestId, tokens.newsBytes(), path.nowNs());
    if (token != null) {
      onUsable(token);
    }
  }

  /**
   * The peer has no region for this side, and says when a region may be free; 0 if the peer does
   * not know.
   */
  void onExhausted(int requestId, long estimateMs) {
    demand.onExhausted(requestId, estimateMs * NANOS_PER_MILLI, path.nowNs());
  }

  /**
   * The peer has taken a fill out of the fill's region, as the next entry of the frame's group
   * says.
   */
  void onAck(TransferAckDecoder.RegionsDecoder entry) {
    int region = (int) entry.region();
    int fill = (int) entry.fill();
    int authorised = (int) entry.authorisedBytes();
    boolean isRevoked = entry.disposition() == RegionDisposition.REVOKED;
    WriteToken token =
        tokens.onConsumed(region, fill, entry.key(), authorised, isRevoked, path.nowNs());
    demand.onAuthorised(demand.requestId(), tokens.newsBytes(), path.nowNs());
    if (token == null) {
      return;
    }
    if (isRevoked && token.fill() != fill) {
      // The region had begun the next fill, which was not taken.
      onRevoked(token);
    } else {
      onConsumed(token);
    }
  }

  /** The token is void. */
  @Override
  public void onRevoked(int region, long key) {
    WriteToken token = tokens.onRevoked(region, key);
    if (token != null) {
      onRevoked(token);
    }
  }

  /** The peer found records of a fill wrong. */
  void onRecordsWanted(int region, int fill, long key, long records) {
    for (int i = 0; i < open.size(); i++) {
      WriteFill each = open.get(i);
      WriteToken token = each.token();
      if (token.region() == region && token.key() == key && token.fill() == fill) {
        chunks.onRecordsWanted(each, records);
        return;
      }
    }
  }

  /** A token came, or the allowance of a token grew. */
  private void onUsable(WriteToken token) {
    if (token.use() instanceof WriteFill fill && token.state() == TokenState.IN_USE) {
      owe(fill, fill.lengthBytes() - token.authorisedBytes());
      carrier.list(fill);
    }
    onChanged();
  }

  private void onConsumed(WriteToken token) {
    if (token.use() instanceof WriteFill fill) {
      token.clearUse();
      OutboundBody body = fill.body();
      counters.payloadBytesAcknowledged += fill.lengthBytes();
      counters.data().writeCompleted(path.pathId(), token.region(), fill.lengthBytes());
      demand.onFillTakenOut();
      body.feed().onAcknowledged(fill.lengthBytes());
      body.onFillClosed();
      close(fill);
      waiting.onTakenOut(body);
      onProgress(body);
    }
    onChanged();
  }

  /** The end of a body, told by a notification without fills, has arrived. */
  private void onEndDelivered(OutboundBody body) {
    body.onFillClosed();
    onProgress(body);
  }

  private void onProgress(OutboundBody body) {
    if (body.isDone() && !body.isOver()) {
      record(LatencyStage.WRITE, body, body.writingNs(path.nowNs()));
      body.finish();
      bodies.onBodySent(body);
    }
  }

  /** The fill of a void token needs another token. */
  private void onRevoked(WriteToken token) {
    if (token.use() instanceof WriteFill fill) {
      token.clearUse();
      owe(fill, 0);
      if (fill.sentBytes() > 0 && demand.onFillRevoked(path.nowNs())) {
        counters.revocationPauses++;
      }
      carrier.forget(fill, fill.body().terms().level());
      // The fill is in one of the two lists at any time, so that the end of the path finds the
      // fill.
      open.remove(fill);
      waiting.onBack(fill);
    }
    onChanged();
  }

  /** The body is not wanted any more: gives up the fills of the body. */
  public void abort(OutboundBody body) {
    if (body.isOver()) {
      return;
    }
    body.finish();
    waiting.drop(body);
    Notification notification = null;
    for (int i = open.size() - 1; i >= 0; i--) {
      WriteFill fill = open.get(i);
      if (fill.body() == body) {
        notification = giveUp(fill, notification);
      }
    }
    if (notification != null) {
      frames.queueFirst(notification);
    }
    onChanged();
  }

  private @Nullable Notification giveUp(WriteFill fill, @Nullable Notification current) {
    WriteToken token = fill.token();
    Notification notification = current;
    token.clearUse();
    boolean mayLand = carrier.abandon(fill);
    if (token.state() == TokenState.IN_USE) {
      if (fill.sentBytes() == 0) {
        tokens.release(token);
      } else {
        tokens.onWritten(token);
        notification = mayLand ? notification : giveUp(token, fill.body().terms(), notification);
      }
    }
    close(fill);
    return notification;
  }

  private Notification giveUp(WriteToken token, BodyTerms terms, @Nullable Notification current) {
    Notification notification = current;
    if (notification != null && notification.isFull()) {
      frames.queueFirst(notification);
      notification = null;
    }
    if (notification == null) {
      notification = notifications.take();
      notification.startEmpty(terms, 0);
    }
    notification.giveUp(token);
    return notification;
  }

  /**
   * No byte of a given-up fill lands any more. After a failed write no such promise holds, and the
   * peer must take the region back.
   */
  @Override
  public void onDrained(WriteToken token, BodyTerms terms, boolean isFailed) {
    Notification notification = giveUp(token, terms, null);
    if (isFailed) {
      notification.returned();
    }
    frames.queueFirst(notification);
  }

  private void close(WriteFill fill) {
    owe(fill, 0);
    carrier.forget(fill, fill.body().terms().level());
    open.remove(fill);
    fill.clear();
    free.addLast(fill);
  }

  private WriteFill take() {
    WriteFill fill = free.pollLast();
    return fill == null ? new WriteFill() : fill;
  }

  /** The path uses another rail. */
  public void onRail() {
    carrier.onRail(open);
    onChanged();
  }

  /** The path is over: every body and fill lets go of its memory. */
  public void close() {
    AllSteps.run(
        waiting::close,
        () -> AllSteps.forEach(open, this::letGo),
        open::clear,
        carrier::clear,
        tokens::clear);
  }

  private void letGo(WriteFill fill) {
    fill.body().finish();
    carrier.forget(fill, fill.body().terms().level());
    fill.clear();
  }
}
