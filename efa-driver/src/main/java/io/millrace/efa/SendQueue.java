package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.SendBuffer;
import io.millrace.efa.ofi.FabricErrno;
import io.millrace.efa.ofi.FabricVerbs;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when each datagram of the posted trains goes to the provider, and when a send buffer is
 * free again.
 *
 * <p>Trains to one destination leave in order. A destination whose posts are refused, because it is
 * being connected or is gone, holds up no other: a quarter of the buffers is never kept for such
 * destinations, and after {@link Destinations#STALL_LIMIT_NS} what waits for one is given up. Owned
 * by the endpoint's thread; does not allocate after construction.
 */
final class SendQueue {
  private final FabricVerbs verbs;
  private final Destinations destinations;
  private final PostedOperations operations;
  private final EndpointCounters counters;
  private final FabricCounters fabricCounters;
  private final LongSupplier clockNs;
  private final long descriptor;
  private final Train[] trains;
  private final int[] free;
  private final int[] queued;
  private final int[] finished;
  private int freeCount;
  private int queuedCount;
  private int finishedHead;
  private int finishedCount;

  /**
   * @param buffers send buffers whose indexes count from 0
   * @param descriptor of the memory that they lie in
   * @param clockNs read only when a destination refuses
   */
  SendQueue(
      FabricVerbs verbs,
      Destinations destinations,
      PostedOperations operations,
      EndpointStatistics statistics,
      SendBuffer[] buffers,
      long descriptor,
      LongSupplier clockNs) {
    this.verbs = verbs;
    this.destinations = destinations;
    this.operations = operations;
    this.counters = statistics.counters();
    this.fabricCounters = statistics.fabricCounters();
    this.descriptor = descriptor;
    this.clockNs = clockNs;
    this.trains = Arrays.stream(buffers).map(Train::new).toArray(Train[]::new);
    this.free = new int[buffers.length];
    this.queued = new int[buffers.length];
    this.finished = new int[buffers.length];
    this.freeCount = buffers.length;
    for (int i = 0; i < buffers.length; i++) {
      free[i] = buffers.length - 1 - i;
    }
  }

  @Nullable SendBuffer acquire() {
    if (freeCount == 0) {
      return null;
    }
    Train train = trains[free[--freeCount]];
    train.stage = Train.Stage.ACQUIRED;
    return train.buffer;
  }

  void release(SendBuffer buffer) {
    Train train = acquired(buffer);
    train.stage = Train.Stage.FREE;
    free[freeCount++] = buffer.index();
  }

  private Train acquired(SendBuffer buffer) {
    int index = buffer.index();
    if (index < 0 || index >= trains.length || trains[index].buffer != buffer) {
      throw new IllegalArgumentException("not a send buffer of this endpoint");
    }
    if (trains[index].stage != Train.Stage.ACQUIRED) {
      throw new IllegalStateException("send buffer " + index + " was not acquired");
    }
    return trains[index];
  }

  /** Takes a train; arguments were checked. */
  void post(int destination, SendBuffer buffer, int length, int segmentLength, long context) {
    Train train = acquired(buffer);
    boolean isHopeless = destinations.isStalled(destination) && isStalledShareTaken();
    train.post(destination, destinations.generation(destination), length, segmentLength, context);
    if (isHopeless) {
      fabricCounters.stalledTrains++;
      abandon(buffer.index(), CompletionHandler.STATUS_FAILED);
      return;
    }
    queued[queuedCount++] = buffer.index();
  }

  /** Takes a train that cannot be sent: its completion comes like any other. */
  void refuse(SendBuffer buffer, long context) {
    Train train = acquired(buffer);
    train.post(0, 0, 0, 1, context);
    counters.sendFailures++;
    abandon(buffer.index(), CompletionHandler.STATUS_FAILED);
  }

  /** Leaves every buffer without memory, so that using one later fails instead of crashing. */
  void detach() {
    for (Train train : trains) {
      train.buffer.buffer().wrap(0, 0);
    }
  }

  /** Whether what waits for destinations that refuse holds all that it may: three quarters. */
  private boolean isStalledShareTaken() {
    int held = 0;
    for (int i = 0; i < queuedCount; i++) {
      if (destinations.isStalled(trains[queued[i]].destination)) {
        held++;
      }
    }
    return held >= Math.max(1, trains.length - trains.length / 4);
  }

  /** Hands to the provider what it takes. */
  void push() {
    int kept = 0;
    for (int i = 0; i < queuedCount; i++) {
      int index = queued[i];
      if (isBehindRefused(kept, trains[index].destination) || !pushTrain(index)) {
        queued[kept++] = index;
      }
    }
    queuedCount = kept;
  }

  private boolean isBehindRefused(int kept, int destination) {
    for (int i = 0; i < kept; i++) {
      if (trains[queued[i]].destination == destination) {
        return true;
      }
    }
    return false;
  }

  /** Answers whether the train has left the queue. */
  private boolean pushTrain(int index) {
    Train train = trains[index];
    while (train.postedBytes < train.length) {
      if (!operations.canSend()) {
        fabricCounters.windowFull++;
        return false;
      }
      long rc = send(train, index);
      if (rc == -FabricErrno.FI_EAGAIN) {
        fabricCounters.tryAgains++;
        if (!destinations.onRefused(train.destination, clockNs.getAsLong())) {
          return false;
        }
        fabricCounters.stalledTrains++;
        abandon(index, CompletionHandler.STATUS_UNREACHABLE);
        return true;
      }
      if (rc < 0) {
        abandon(index, CompletionStatus.ofSend((int) -rc));
        return true;
      }
    }
    train.stage = Train.Stage.LEFT;
    return true;
  }

  private long send(Train train, int index) {
    int bytes = train.nextBytes();
    int slot =
        operations.acquire(
            PostedOperations.SEND, index, train.destination, train.generation, bytes);
    long rc =
        verbs.send(
            train.address + train.postedBytes,
            bytes,
            descriptor,
            destinations.providerAddress(train.destination),
            operations.context(slot));
    if (rc != 0) {
      operations.release(slot);
      return rc;
    }
    train.postedBytes += bytes;
    train.inFlight++;
    counters.sendCalls++;
    counters.datagramsSent++;
    counters.bytesSent += bytes;
    destinations.onAccepted(train.destination);
    return 0;
  }

  private void abandon(int index, int status) {
    Train train = trains[index];
    counters.sendFailures += train.remainingDatagrams();
    train.stage = Train.Stage.LEFT;
    train.status = status;
    finishIfComplete(index);
  }

  /** A datagram of a train completed. */
  void onComplete(int index, int status) {
    Train train = trains[index];
    train.inFlight--;
    if (status != CompletionHandler.STATUS_OK) {
      counters.sendFailures++;
      train.status = status;
    }
    finishIfComplete(index);
  }

  private void finishIfComplete(int index) {
    if (trains[index].isComplete()) {
      finished[(finishedHead + finishedCount) % finished.length] = index;
      finishedCount++;
    }
  }

  /** A destination is being released: what waits for it is given up. */
  void onReleased(int destination) {
    int kept = 0;
    for (int i = 0; i < queuedCount; i++) {
      if (trains[queued[i]].destination == destination) {
        abandon(queued[i], CompletionHandler.STATUS_FAILED);
      } else {
        queued[kept++] = queued[i];
      }
    }
    queuedCount = kept;
  }

  /** Frees the buffers of complete trains and tells of each. */
  int report(CompletionHandler handler) {
    int count = finishedCount;
    for (int i = 0; i < count; i++) {
      Train train = trains[finished[finishedHead]];
      finishedHead = (finishedHead + 1) % finished.length;
      finishedCount--;
      // read before the buffer is free: the handler may post it again
      int status = train.status;
      long context = train.context;
      int destination = train.destination;
      boolean isCurrent = destinations.isCurrent(destination, train.generation);
      train.stage = Train.Stage.FREE;
      free[freeCount++] = train.buffer.index();
      handler.onSendComplete(context, status);
      if (status == CompletionHandler.STATUS_UNREACHABLE && isCurrent) {
        handler.onUnreachable(destination);
      }
    }
    return count;
  }
}
