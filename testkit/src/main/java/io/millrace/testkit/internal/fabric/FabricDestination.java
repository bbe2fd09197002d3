package io.millrace.testkit.internal.fabric;

import io.millrace.driver.HoldCause;
import io.millrace.driver.NotReadyBackoff;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A destination of an endpoint, and the operations that wait because the destination refuses posts
 * or its receiver is not ready. Thread of the simulation.
 */
final class FabricDestination {
  /** Refusals without a break count as an episode after this time, ns. */
  static final long NOTICE_NS = 50_000_000L;

  /** Operations are given up after this time without success, ns. */
  static final long LIMIT_NS = 2_000_000_000L;

  private static final int MOST_WAITING = 4_096;
  private static final long NEVER = Long.MIN_VALUE;

  private final SimFabricEndpoint owner;
  private final int number;
  private final FabricLink link;
  private final long address;
  private final NotReadyBackoff backoff;
  private final ArrayDeque<Operation> waiting = new ArrayDeque<>();
  private long refusedSinceNs = NEVER;
  private @Nullable HoldCause cause;

  /** A message, or a piece of a write. */
  interface Operation {
    /** Goes to the destination again. */
    void repeat();

    /**
     * Ends without an arrival.
     *
     * @param isReady whether the destination refused posts; otherwise its receiver was not ready
     */
    void giveUp(boolean isReady);
  }

  /**
   * @param number of the destination at this endpoint
   * @param link the way to the destination
   * @param address of the remote endpoint, as {@link SimFabric} counts
   */
  FabricDestination(
      SimFabricEndpoint owner, int number, FabricLink link, long address, NotReadyBackoff backoff) {
    this.owner = owner;
    this.number = number;
    this.link = link;
    this.address = address;
    this.backoff = backoff;
  }

  int number() {
    return number;
  }

  FabricLink link() {
    return link;
  }

  long address() {
    return address;
  }

  private long nowNs() {
    return link.time().nowNs();
  }

  private boolean isRefusing() {
    return owner.fabric().isRefusing(address);
  }

  /** Whether an operation must wait for its turn. */
  boolean mustWait() {
    forgetEpisode();
    boolean isRefusing = isRefusing();
    if (isRefusing) {
      owner.fabric().counters().tryAgains++;
      if (refusedSinceNs == NEVER) {
        refusedSinceNs = nowNs();
        link.time().at(refusedSinceNs + NOTICE_NS, this::onNotice);
        link.time().at(refusedSinceNs + LIMIT_NS + 1, this::resume);
      }
    }
    return isRefusing || !waiting.isEmpty() || backoff.isWaiting(nowNs());
  }

  /**
   * A destination given up counts as ready a while after its last wait, as with the driver, so that
   * the next operation has its time again.
   */
  private void forgetEpisode() {
    long nowNs = nowNs();
    if (waiting.isEmpty()
        && backoff.isUnreadyFor(LIMIT_NS, nowNs)
        && !backoff.isWaiting(nowNs - NOTICE_NS)) {
      onSuccess();
    }
  }

  private void onNotice() {
    if (refusedSinceNs != NEVER && nowNs() - refusedSinceNs >= NOTICE_NS && isRefusing()) {
      hold(HoldCause.QUEUE_FULL);
    }
  }

  private void hold(@Nullable HoldCause next) {
    if (cause != next) {
      cause = next;
      owner.onHeld(number, next);
    }
  }

  /** Whether the receiver was not ready, and nothing has arrived since. */
  boolean isUnready() {
    return backoff.isUnready();
  }

  /** The operation goes when the destination takes operations again, behind its predecessors. */
  void queue(Operation operation) {
    if (waiting.size() >= MOST_WAITING || isOver()) {
      operation.giveUp(!backoff.isUnready());
    } else {
      waiting.addLast(operation);
    }
  }

  /** Whether the destination has refused, or has not been ready, for too long. */
  boolean isOver() {
    long nowNs = nowNs();
    return backoff.isUnreadyFor(LIMIT_NS, nowNs)
        || (isRefusing() && refusedSinceNs != NEVER && nowNs - refusedSinceNs > LIMIT_NS);
  }

  /**
   * The receiver had no buffer for an operation.
   *
   * @param isRepeat whether the operation was repeated before
   */
  void onNotReady(Operation operation, boolean isRepeat) {
    long nowNs = nowNs();
    backoff.onNotReady(isRepeat, nowNs);
    queue(operation);
    if (!backoff.isWaiting(nowNs)) {
      resume();
    } else if (!isOver()) {
      hold(HoldCause.NOT_READY);
      link.time().at(backoff.waitEndNs(), this::resume);
    }
  }

  /** An operation arrived. */
  void onSuccess() {
    if (backoff.isUnready()) {
      backoff.onSuccess();
      resume();
    }
  }

  /** Lets the operations go, or gives the operations up, if the time has come. */
  void resume() {
    boolean isOver = isOver() || owner.isGone();
    if (!isOver && (isRefusing() || backoff.isWaiting(nowNs()))) {
      return;
    }
    boolean isReady = !backoff.isUnready();
    for (int left = waiting.size(); left > 0; left--) {
      Operation next = waiting.removeFirst();
      if (isOver) {
        next.giveUp(isReady);
      } else {
        next.repeat();
      }
    }
    if (!isRefusing()) {
      refusedSinceNs = NEVER;
    }
    if (isOver || isReady) {
      hold(null);
    }
  }
}
