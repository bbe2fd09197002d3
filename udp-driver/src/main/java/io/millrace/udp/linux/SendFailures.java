package io.millrace.udp.linux;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.EndpointCounters;
import io.millrace.udp.internal.PathLimit;
import io.millrace.udp.internal.Train;

/**
 * Decides what becomes of a datagram or train that a call did not take: wait, try again, send in
 * pieces, or give up. Owned by the endpoint; does not allocate.
 */
final class SendFailures {
  /** Flushes that may find no room for a datagram before it is given up. */
  static final int MAX_BLOCKED_FLUSHES = 4_096;

  /** Pending errors that may fail a datagram's call before the datagram is given up. */
  static final int MAX_PENDING_ERRORS = 8;

  /** Trains in a row, refused whole and taken in pieces, after which none is tried whole. */
  static final int MAX_REFUSED_TRAINS = 8;

  private final ErrorQueue errors;
  private final PathEvents events;
  private final SourceSockets sources;
  private final BoundSocket bound;
  private final EndpointCounters counters;
  private boolean cutsTrains;
  private int refusedTrains;

  SendFailures(
      ErrorQueue errors,
      PathEvents events,
      SourceSockets sources,
      BoundSocket bound,
      EndpointCounters counters) {
    this.sources = sources;
    this.errors = errors;
    this.events = events;
    this.bound = bound;
    this.counters = counters;
    cutsTrains = bound.cutsTrains();
  }

  /** Whether trains are given to the kernel whole. */
  boolean cutsTrains() {
    return cutsTrains;
  }

  /** A train is through. */
  void onHandled(Train train) {
    if (train.isInPieces() && train.status() == CompletionHandler.STATUS_OK) {
      refusedTrains++;
      cutsTrains &= refusedTrains < MAX_REFUSED_TRAINS;
    }
  }

  /** The kernel took a train whole. */
  void onCut() {
    refusedTrains = 0;
  }

  /** A call took some messages and not the next one: the error, if there was one, is queued. */
  void onPartial(int fd) {
    errors.drain(fd);
  }

  /**
   * The next {@code bytes} of {@code train} were refused.
   *
   * @return false if the socket has no room, so that the train must wait for the next flush
   */
  boolean onRefused(int fd, Train train, int bytes, int errno) {
    if (errno == Errno.EINTR) {
      return true;
    }
    if (Errno.isNoRoom(errno)) {
      if (train.onBlocked() < MAX_BLOCKED_FLUSHES) {
        return false;
      }
      giveUp(train, bytes, CompletionHandler.STATUS_FAILED);
      return true;
    }
    int answers = errors.drain(fd);
    if (errors.localMtu() > 0) {
      int maxBytes = PathLimit.ofMtu(errors.localMtu(), bound.version() == IpVersion.IPV4);
      events.onPathMax(train.destination(), maxBytes);
    } else if (train.onPendingError() <= (answers > 0 ? MAX_PENDING_ERRORS : 1)) {
      // It may have been about an earlier datagram, to whomever; draining has cleared it.
      return true;
    }
    if (bytes > train.segmentLength() && Errno.isTrainRefused(errno)) {
      train.sendInPieces();
    } else {
      boolean isGone = !sources.contains(fd) && Errno.isUnreachable(errno);
      giveUp(
          train,
          bytes,
          isGone ? CompletionHandler.STATUS_UNREACHABLE : CompletionHandler.STATUS_FAILED);
    }
    return true;
  }

  private void giveUp(Train train, int bytes, int status) {
    counters.sendFailures += train.segmentsIn(bytes);
    train.onFailed(bytes, status);
  }

  /** The rest of a train will not be sent: its destination is released. */
  void abandon(Train train) {
    giveUp(train, train.remainingBytes(), CompletionHandler.STATUS_FAILED);
  }
}
