package io.millrace.testkit.internal.fabric;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.RemoteWrite;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A one-sided write on its way. Its pieces travel by themselves. The target checks the key at the
 * arrival of the first piece and never again, so later pieces land even if the registration or an
 * endpoint has ended meanwhile. Only a crash of the target's process, whose memory is gone, ends
 * the write.
 */
final class FabricWrite implements WriteView {
  private final SimFabric fabric;
  private final SimFabricEndpoint sender;
  private final FabricDestination destination;
  private final FabricLink link;
  private final FabricRegistration from;
  private final MemorySegment source;
  private final byte[] posted;
  private final long remoteAddress;
  private final long remoteKey;
  private final long immediate;
  private final boolean hasImmediate;
  private final long context;
  private final long ordinal;
  private final long[] departuresNs;
  private @Nullable SimFabricEndpoint target;
  private @Nullable FabricRegistration registration;
  private int piecesLeft;
  private boolean refused;
  private boolean isRepeated;
  private boolean ended;

  /** The pieces that wait for a receiver that is not ready. */
  private int piecesHeld;

  /** The time when the last of these waits ended. */
  private long heldUntilNs = Long.MIN_VALUE;

  FabricWrite(
      SimFabricEndpoint sender,
      FabricDestination destination,
      RemoteWrite write,
      FabricRegistration from,
      long context) {
    this.sender = sender;
    this.from = from;
    this.destination = destination;
    this.context = context;
    fabric = sender.fabric();
    link = destination.link();
    source = write.source().memory().asSlice(write.sourceOffset(), write.length());
    posted = source.toArray(ValueLayout.JAVA_BYTE);
    remoteAddress = write.remoteAddress();
    remoteKey = write.remoteKey();
    hasImmediate = write.hasImmediate();
    immediate = hasImmediate ? write.immediate() : 0;
    ordinal = link.nextOrdinal();
    int pieceBytes = fabric.settings().pieceBytes();
    piecesLeft = Math.max(1, (posted.length + pieceBytes - 1) / pieceBytes);
    departuresNs = new long[piecesLeft];
  }

  void start() {
    from.onRead();
    fabric.counters().writes++;
    fabric.counters().writeBytes += posted.length;
    fabric.onPosted(this);
    for (int piece = 0; piece < departuresNs.length; piece++) {
      departuresNs[piece] = link.departureNs(length(piece));
      travel(piece, 0, departuresNs[piece]);
    }
    long lastNs = departuresNs[departuresNs.length - 1];
    watch(lastNs);
  }

  /**
   * The peer counts as dead after a silence. While pieces wait for a receiver that is not ready,
   * the silence is the sender's own.
   */
  private void watch(long fromNs) {
    link.time().at(fromNs + fabric.settings().retry().deadAfterNs(), this::onSilence);
  }

  private void onSilence() {
    long nowNs = link.time().nowNs();
    long fromNs = piecesHeld > 0 ? nowNs : heldUntilNs;
    if (!ended && fromNs + fabric.settings().retry().deadAfterNs() > nowNs) {
      watch(fromNs);
    } else {
      end(CompletionHandler.STATUS_UNREACHABLE);
    }
  }

  /** A piece whose receiver was not ready. */
  private record Piece(FabricWrite write, int number, int attempt)
      implements FabricDestination.Operation {
    @Override
    public void repeat() {
      write.piecesHeld--;
      write.heldUntilNs = write.link.time().nowNs();
      write.fabric.counters().notReadyRepeats++;
      write.travel(number, attempt + 1, write.link.time().nowNs());
    }

    @Override
    public void giveUp(boolean isReady) {
      write.piecesHeld--;
      write.refused = true;
      write.end(CompletionHandler.STATUS_NOT_READY);
    }
  }

  private int length(int piece) {
    int pieceBytes = fabric.settings().pieceBytes();
    return Math.min(pieceBytes, posted.length - piece * pieceBytes);
  }

  private void travel(int piece, int attempt, long fromNs) {
    long number = FabricLink.attempt(ordinal, piece, attempt);
    link.time().at(fromNs + link.travelNs(number), () -> arrive(piece, attempt));
  }

  private void arrive(int piece, int attempt) {
    if (refused || sender.crashedNs() < departuresNs[piece]) {
      return;
    }
    if (link.loses(FabricLink.attempt(ordinal, piece, attempt)) || !isTargetThere()) {
      again(piece, attempt);
    } else {
      link.enter(length(piece), () -> enter(piece, attempt));
    }
  }

  private void enter(int piece, int attempt) {
    if (refused) {
      return;
    }
    if (!isTargetThere()) {
      again(piece, attempt);
    } else if (fabric.isUnready(destination.address())) {
      fabric.counters().receiverNotReady++;
      boolean wasRepeated = isRepeated;
      isRepeated = true;
      piecesHeld++;
      destination.onNotReady(new Piece(this, piece, attempt), wasRepeated);
    } else if (isAdmitted()) {
      land(piece, link.wrongBit(FabricLink.attempt(ordinal, piece, attempt), length(piece)));
    } else {
      refused = true;
      answer(CompletionHandler.STATUS_REMOTE_ACCESS, 0);
    }
  }

  private void again(int piece, int attempt) {
    if (!ended) {
      fabric.counters().retries++;
      long nowNs = link.time().nowNs();
      travel(piece, attempt + 1, nowNs + fabric.settings().retry().retryNs());
    }
  }

  private boolean isTargetThere() {
    SimFabricEndpoint known = target;
    if (known != null) {
      return !known.isCrashed();
    }
    target = fabric.endpoint(destination.address());
    return target != null;
  }

  private boolean isAdmitted() {
    SimFabricEndpoint to = target;
    if (registration == null && to != null) {
      FabricRegistration named = to.memory().find(remoteKey);
      if (named != null && named.admits(remoteAddress, posted.length)) {
        registration = named;
      }
    }
    return registration != null;
  }

  private void land(int piece, long wrongBit) {
    FabricRegistration into = registration;
    if (into == null) {
      return;
    }
    int at = piece * fabric.settings().pieceBytes();
    int length = length(piece);
    requireUnchanged(at, length);
    long offset = remoteAddress - into.base() + at;
    MemorySegment.copy(MemorySegment.ofArray(posted), at, into.memory(), offset, length);
    if (wrongBit >= 0) {
      fabric.counters().damagedPieces++;
      long wrongAt = offset + wrongBit / Byte.SIZE;
      byte right = into.memory().get(ValueLayout.JAVA_BYTE, wrongAt);
      into.memory().set(ValueLayout.JAVA_BYTE, wrongAt, (byte) (right ^ 1 << wrongBit % Byte.SIZE));
    }
    if (into.isEnded()) {
      fabric.counters().latePieces++;
      fabric.counters().foreignPieces += isForeign(into) ? 1 : 0;
    }
    fabric.counters().piecesAfterFailure += ended ? 1 : 0;
    fabric.onLanded(this, at, length);
    if (--piecesLeft == 0) {
      onWhole();
    }
  }

  private void onWhole() {
    SimFabricEndpoint to = target;
    if (hasImmediate && to != null) {
      to.onRemoteWrite(immediate);
    }
    answer(CompletionHandler.STATUS_OK, 0);
  }

  private boolean isForeign(FabricRegistration into) {
    SimFabricEndpoint to = target;
    return to != null && to.memory().hasOther(into);
  }

  /**
   * Checks that the sender's bytes are unchanged: a sender must leave posted bytes alone until the
   * write has ended.
   */
  private void requireUnchanged(int at, int length) {
    if (ended || sender.isGone()) {
      return;
    }
    MemorySegment now = source.asSlice(at, length);
    if (now.mismatch(MemorySegment.ofArray(posted).asSlice(at, length)) >= 0) {
      throw new IllegalStateException(
          "the source of a write of " + posted.length + " bytes was changed before it ended");
    }
  }

  private void answer(int status, int attempt) {
    FabricLink back = fabric.link(link.receiver(), link.sender());
    long number = FabricLink.attempt(ordinal, departuresNs.length, attempt);
    link.time()
        .at(
            link.time().nowNs() + back.travelNs(number),
            () -> {
              if (!back.loses(number)) {
                end(status);
              } else if (!ended) {
                fabric.counters().retries++;
                answer(status, attempt + 1);
              }
            });
  }

  private void end(int status) {
    if (ended) {
      return;
    }
    ended = true;
    from.onReadEnded();
    switch (status) {
      case CompletionHandler.STATUS_OK -> {
        fabric.counters().writesDone++;
        destination.onSuccess();
      }
      case CompletionHandler.STATUS_REMOTE_ACCESS -> fabric.counters().accessErrors++;
      default -> fabric.counters().unreachable++;
    }
    fabric.onEnded(this, status);
    sender.memory().onEnded(context, status);
    if (status == CompletionHandler.STATUS_UNREACHABLE) {
      sender.onUnreachable(destination.number());
    }
  }

  @Override
  public int node() {
    return link.sender().node();
  }

  @Override
  public long link() {
    return link.key();
  }

  @Override
  public long ordinal() {
    return ordinal;
  }

  @Override
  public long remoteKey() {
    return remoteKey;
  }

  @Override
  public long remoteAddress() {
    return remoteAddress;
  }

  @Override
  public int length() {
    return posted.length;
  }

  @Override
  public MemorySegment source() {
    return source;
  }
}
