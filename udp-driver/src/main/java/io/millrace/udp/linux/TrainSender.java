package io.millrace.udp.linux;

import io.millrace.driver.EndpointCounters;
import io.millrace.udp.internal.Train;
import io.millrace.udp.internal.TrainQueue;

/**
 * Sends posted trains, all trains of the same socket in one call, a single datagram in a shorter
 * call. Trains go whole if the kernel cuts trains, else datagram by datagram. Owned by the
 * endpoint; does not allocate after construction.
 */
final class TrainSender {
  private static final int NO_SOCKET = -1;

  private final Libc libc;
  private final MessageTable messages;
  private final TrainQueue trains;
  private final TrainSockets sockets;
  private final DestinationAddresses addresses;
  private final SendFailures failures;
  private final EndpointCounters counters;
  private final int addressBytes;
  private final int[] socketOf;
  private final Train[] batch;
  private final int[] batchBytes;
  private int batchSize;

  TrainSender(
      Libc libc,
      MessageTable messages,
      TrainQueue trains,
      TrainSockets sockets,
      DestinationAddresses addresses,
      SendFailures failures,
      EndpointCounters counters) {
    this.libc = libc;
    this.messages = messages;
    this.trains = trains;
    this.sockets = sockets;
    this.addresses = addresses;
    this.failures = failures;
    this.counters = counters;
    addressBytes = sockets.version().sockaddrBytes();
    socketOf = new int[trains.capacity()];
    batch = new Train[messages.capacity()];
    batchBytes = new int[messages.capacity()];
  }

  /** Sends the posted trains; trains without room in their socket stay posted. */
  void flush() {
    int count = trains.postedCount();
    if (count == 0) {
      return;
    }
    for (int i = 0; i < count; i++) {
      Train train = trains.posted(i);
      socketOf[i] = train.isHandled() ? NO_SOCKET : sockets.socketFor(train, isAlone(i, count));
    }
    for (int i = 0; i < count; i++) {
      int fd = socketOf[i];
      if (fd != NO_SOCKET) {
        sendThrough(fd, i, count);
        leave(fd, i, count);
      }
    }
    trains.retireHandled();
  }

  /**
   * Whether this train is the only posted train, or a neighbouring train has the same destination.
   */
  private boolean isAlone(int i, int count) {
    int destination = trains.posted(i).destination();
    return count == 1
        || (i > 0 && trains.posted(i - 1).destination() == destination)
        || (i + 1 < count && trains.posted(i + 1).destination() == destination);
  }

  private void leave(int fd, int first, int count) {
    for (int i = first; i < count; i++) {
      if (socketOf[i] == fd) {
        socketOf[i] = NO_SOCKET;
      }
    }
  }

  private void sendThrough(int fd, int first, int count) {
    boolean hasRoom = true;
    boolean hasMore = true;
    while (hasRoom && hasMore) {
      hasMore = fill(fd, first, count);
      if (batchSize == 0) {
        return;
      }
      int result = isOne() ? sendOne(fd) : sendBatch(fd);
      counters.sendCalls++;
      onSent(Math.max(0, result));
      if (result <= 0) {
        int errno = result == 0 ? Errno.EAGAIN : -result;
        hasRoom = failures.onRefused(fd, batch[0], batchBytes[0], errno);
        hasMore = true;
      } else if (result < batchSize) {
        failures.onPartial(fd);
        hasMore = true;
      }
    }
  }

  /** Whether the batch is a single datagram, for which the shorter call is enough. */
  private boolean isOne() {
    return batchSize == 1 && batchBytes[0] <= batch[0].segmentLength();
  }

  private int sendBatch(int fd) {
    return libc.sendmmsg(fd, messages.pointer(), batchSize, MessageLayout.MSG_DONTWAIT);
  }

  /** Sends the only datagram of the batch; returns 1, or an error number negated. */
  private int sendOne(int fd) {
    Train train = batch[0];
    boolean isConnected = sockets.isConnected(fd);
    long sent =
        libc.sendto(
            fd,
            train.nextAddress(),
            batchBytes[0],
            MessageLayout.MSG_DONTWAIT,
            isConnected ? 0 : addresses.pointer(train.destination()),
            isConnected ? 0 : addressBytes);
    return sent < 0 ? (int) sent : 1;
  }

  /** Fills the batch with the trains for {@code fd}; returns true if further trains do not fit. */
  private boolean fill(int fd, int first, int count) {
    batchSize = 0;
    boolean isConnected = sockets.isConnected(fd);
    for (int i = first; i < count; i++) {
      if (socketOf[i] == fd && !add(trains.posted(i), isConnected)) {
        return true;
      }
    }
    return false;
  }

  /** Adds the rest of a train; returns false if the batch is too small for the rest. */
  private boolean add(Train train, boolean isConnected) {
    boolean isWhole = failures.cutsTrains() && !train.isInPieces();
    long address = train.nextAddress();
    int left = train.remainingBytes();
    while (left > 0) {
      if (batchSize == batch.length) {
        return false;
      }
      int bytes = isWhole ? left : Math.min(left, train.segmentLength());
      int message = batchSize++;
      messages.address(
          message,
          isConnected ? 0 : addresses.pointer(train.destination()),
          isConnected ? 0 : addressBytes);
      messages.payload(message, address, bytes, train.segmentLength());
      batch[message] = train;
      batchBytes[message] = bytes;
      address += bytes;
      left -= bytes;
    }
    return true;
  }

  private void onSent(int sent) {
    for (int i = 0; i < sent; i++) {
      Train train = batch[i];
      int bytes = batchBytes[i];
      int segments = train.segmentsIn(bytes);
      counters.datagramsSent += segments;
      counters.bytesSent += bytes;
      train.onSent(bytes);
      if (segments > 1) {
        failures.onCut();
      }
      if (train.isHandled()) {
        failures.onHandled(train);
      }
    }
  }

  /** Fails the posted trains to this destination. */
  void abandon(int destination) {
    for (int i = 0; i < trains.postedCount(); i++) {
      Train train = trains.posted(i);
      if (train.destination() == destination && !train.isHandled()) {
        failures.abandon(train);
      }
    }
    trains.retireHandled();
  }
}
