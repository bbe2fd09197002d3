package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.SendBuffer;
import io.millrace.efa.ofi.FabricErrno;
import io.millrace.efa.ofi.FabricVerbs;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when each datagram of the posted trains goes to the provider, and when a send buffer is
 * free again.
 *
 * <p>Trains to one destination leave in order. A datagram whose receiver was not ready is posted
 * again, ahead of all later datagrams to its destination. A destination with refused posts, or with
 * a receiver that is not ready, delays no other destination: such destinations never hold the last
 * quarter of the buffers. After {@link PeerHolds#LIMIT_NS} the queue gives the waiting trains of
 * such a destination up. Owned by the endpoint's thread; does not allocate after construction.
 */
final class SendQueue {
  private final FabricVerbs verbs;
  private final Destinations destinations;
  private final PeerHolds holds;
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
  private long nextOrdinal;

  /**
   * @param trains the trains of the send buffers, in the order of the buffers' indexes
   * @param descriptor the descriptor of the buffers' memory
   * @param clockNs the clock, read only when a destination refuses or is not ready
   */
  SendQueue(
      FabricVerbs verbs,
      Destinations destinations,
      PostedOperations operations,
      EndpointStatistics statistics,
      Train[] trains,
      long descriptor,
      LongSupplier clockNs) {
    this.verbs = verbs;
    this.destinations = destinations;
    this.holds = destinations.holds();
    this.operations = operations;
    this.counters = statistics.counters();
    this.fabricCounters = statistics.fabricCounters();
    this.descriptor = descriptor;
    this.clockNs = clockNs;
    this.trains = trains;
    this.free = new int[trains.length];
    this.queued = new int[trains.length];
    this.finished = new int[trains.length];
    this.freeCount = trains.length;
    for (int i = 0; i < trains.length; i++) {
      free[i] = trains.length - 1 - i;
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
    holds.onPosted(destination);
    boolean isHopeless = holds.isStalled(destination) && isStalledShareTaken();
    train.ordinal = nextOrdinal++;
    train.post(destination, destinations.generation(destination), length, segmentLength, context);
    if (isHopeless) {
      fabricCounters.stalledTrains++;
      abandon(buffer.index(), CompletionHandler.STATUS_FAILED);
      return;
    }
    queued[queuedCount++] = buffer.index();
  }

  /** Takes a train that cannot be sent; the completion arrives like every other completion. */
  void refuse(SendBuffer buffer, long context) {
    Train train = acquired(buffer);
    train.post(0, 0, 0, 1, context);
    counters.sendFailures++;
    abandon(buffer.index(), CompletionHandler.STATUS_FAILED);
  }

  /**
   * Detaches every buffer from its memory, so a later use of a buffer fails instead of crashing.
   */
  void detach() {
    for (Train train : trains) {
      train.buffer.buffer().wrap(0, 0);
    }
  }

  /**
   * Whether the trains for refusing destinations hold their maximum share of the buffers: three
   * quarters.
   */
  private boolean isStalledShareTaken() {
    int held = 0;
    for (int i = 0; i < queuedCount; i++) {
      if (holds.isStalled(trains[queued[i]].destination)) {
        held++;
      }
    }
    return held >= Math.max(1, trains.length - trains.length / 4);
  }

  /** Tells for which destinations a train waits. */
  void tellWaiting() {
    for (int i = 0; i < queuedCount; i++) {
      holds.onWaiting(trains[queued[i]].destination);
    }
  }

  /** Hands datagrams to the provider, as long as the provider takes datagrams. */
  void push() {
    int kept = 0;
    destinations.beginTurn();
    long nowNs = holds.hasUnready() ? clockNs.getAsLong() : 0;
    for (int i = 0; i < queuedCount; i++) {
      int index = queued[i];
      int destination = trains[index].destination;
      if (destinations.isBlocked(destination)
          || !(holds.isWaiting(destination, nowNs) ? isGivenUp(index, nowNs) : pushTrain(index))) {
        destinations.block(destination);
        queued[kept++] = index;
      }
    }
    queuedCount = kept;
  }

  /**
   * Gives the train up if its receiver has not been ready for too long; returns whether the train
   * has left the queue.
   */
  private boolean isGivenUp(int index, long nowNs) {
    if (!holds.isGivenUp(trains[index].destination, nowNs)) {
      return false;
    }
    fabricCounters.notReadyGivenUp += abandon(index, CompletionHandler.STATUS_NOT_READY);
    return true;
  }

  /**
   * Hands the datagrams of a train to the provider; returns whether the train has left the queue.
   */
  private boolean pushTrain(int index) {
    Train train = trains[index];
    while (train.hasNext()) {
      if (!operations.canSend()) {
        fabricCounters.windowFull++;
        return false;
      }
      long rc = send(train, index);
      if (rc == -FabricErrno.FI_EAGAIN) {
        fabricCounters.tryAgains++;
        if (!holds.onRefused(train.destination, true, clockNs.getAsLong())) {
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
    finishIfComplete(index);
    return true;
  }

  private long send(Train train, int index) {
    int datagram = train.next();
    int bytes = train.bytes(datagram);
    long owner = (long) datagram << Integer.SIZE | index;
    int slot =
        operations.acquire(
            PostedOperations.SEND, owner, train.destination, train.generation, bytes);
    long rc =
        verbs.send(
            train.address + train.offset(datagram),
            bytes,
            descriptor,
            destinations.providerAddress(train.destination),
            operations.context(slot));
    if (rc != 0) {
      operations.release(slot);
      return rc;
    }
    train.inFlight++;
    onAccepted(train, datagram);
    return 0;
  }

  private void onAccepted(Train train, int datagram) {
    counters.sendCalls++;
    if (train.onPosted(datagram)) {
      fabricCounters.repeats++;
    } else {
      counters.datagramsSent++;
      counters.bytesSent += train.bytes(datagram);
    }
    holds.onAccepted(train.destination);
  }

  /** Gives the datagrams of a train up that are not with the provider; returns their number. */
  private int abandon(int index, int status) {
    Train train = trains[index];
    int datagrams = train.giveUp();
    counters.sendFailures += datagrams;
    train.stage = Train.Stage.LEFT;
    train.status = status;
    finishIfComplete(index);
    return datagrams;
  }

  /**
   * Handles the completion of a datagram of a train.
   *
   * @param owner the owner of the datagram's operation
   */
  void onComplete(long owner, int status) {
    int index = (int) owner;
    Train train = trains[index];
    train.inFlight--;
    if (status != CompletionHandler.STATUS_OK) {
      counters.sendFailures++;
      train.status = status;
    } else if (holds.hasStalled() && destinations.isCurrent(train.destination, train.generation)) {
      holds.onSuccess(train.destination);
    }
    finishIfComplete(index);
  }

  /**
   * The receiver of a datagram was not ready: the datagram waits for a repeat, unless its
   * destination is given up or holds its share of the buffers.
   *
   * @param owner the owner of the datagram's operation
   */
  void onNotReady(long owner) {
    int index = (int) owner;
    int datagram = (int) (owner >>> Integer.SIZE);
    Train train = trains[index];
    if (!destinations.isCurrent(train.destination, train.generation)) {
      onComplete(owner, CompletionHandler.STATUS_FAILED);
      return;
    }
    long nowNs = clockNs.getAsLong();
    holds.onNotReady(train.destination, train.isRepeated(datagram), nowNs);
    if (train.status != CompletionHandler.STATUS_OK
        || holds.isGivenUp(train.destination, nowNs)
        || (train.stage == Train.Stage.LEFT && isStalledShareTaken())) {
      fabricCounters.notReadyGivenUp++;
      onComplete(owner, CompletionHandler.STATUS_NOT_READY);
      return;
    }
    train.inFlight--;
    train.repeat(datagram);
    if (train.stage == Train.Stage.LEFT) {
      train.stage = Train.Stage.QUEUED;
      queueInOrder(index);
    }
  }

  /** Puts a train back to its place in the order of posts. */
  private void queueInOrder(int index) {
    int at = queuedCount++;
    while (at > 0 && trains[queued[at - 1]].ordinal > trains[index].ordinal) {
      queued[at] = queued[at - 1];
      at--;
    }
    queued[at] = index;
  }

  private void finishIfComplete(int index) {
    if (trains[index].isComplete()) {
      finished[(finishedHead + finishedCount) % finished.length] = index;
      finishedCount++;
    }
  }

  /** Gives up all trains that are not with the provider, because the endpoint has failed. */
  void giveUp() {
    for (int i = 0; i < queuedCount; i++) {
      abandon(queued[i], CompletionHandler.STATUS_FAILED);
    }
    queuedCount = 0;
  }

  /** Gives up the trains for a destination, which is being released. */
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

  /** Frees the buffers of complete trains and reports each train. */
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
