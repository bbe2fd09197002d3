package io.millrace.udp.linux;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.EndpointCounters;
import io.millrace.udp.internal.PathLimit;
import io.millrace.udp.internal.Train;

/**
 * Decides about a datagram or train refused by a call: wait, try again, send in pieces, or give up.
 * Owned by the endpoint; does not allocate.
 */
final class SendFailures {
  /** The number of flushes without room for a datagram before the driver gives the datagram up. */
  static final int MAX_BLOCKED_FLUSHES = 4_096;

  /**
   * The number of pending errors that may fail a datagram's call before the driver gives the
   * datagram up.
   */
  static final int MAX_PENDING_ERRORS = 8;

  /**
   * The number of consecutive trains, refused whole and taken in pieces, after which the driver
   * tries no more whole trains.
   */
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

  /** Whether the driver gives whole trains to the kernel. */
  boolean cutsTrains() {
    return cutsTrains;
  }

  /** Records that a train is completely handled. */
  void onHandled(Train train) {
    if (train.isInPieces() && train.status() == CompletionHandler.STATUS_OK) {
      refusedTrains++;
      cutsTrains &= refusedTrains < MAX_REFUSED_TRAINS;
    }
  }

  /** Records that the kernel took a whole train. */
  void onCut() {
    refusedTrains = 0;
  }

  /** Handles a call that took a part of the messages: a possible error is in the queue. */
  void onPartial(int fd) {
    errors.drain(fd);
  }

  /**
   * Handles the refusal of the next {@code bytes} bytes of {@code train}.
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
      // The error may concern an earlier datagram to any destination; the drain has cleared the
      // error.
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

  /** Gives up the rest of a train, because its destination is released. */
  void abandon(Train train) {
    giveUp(train, train.remainingBytes(), CompletionHandler.STATUS_FAILED);
  }
}
