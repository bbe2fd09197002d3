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
 * <p>Trains to one destination leave in order. A destination with refused posts, during its
 * connection or after its end, delays no other destination: such destinations never hold the last
 * quarter of the buffers. After {@link Destinations#STALL_LIMIT_NS} the queue gives the waiting
 * trains of such a destination up. Owned by the endpoint's thread; does not allocate after
 * construction.
 */
final class SendQueue {
  /** One of so many datagrams has a completion, which the window counts. */
  static final int INJECT_RUN = 16;

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
  private int injectBytes;
  private int injectedInRow;
  private int freeCount;
  private int queuedCount;
  private int finishedHead;
  private int finishedCount;

  /**
   * @param buffers the send buffers, with indexes from 0 on
   * @param descriptor the descriptor of the buffers' memory
   * @param clockNs the clock, read only when a destination refuses
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
      if (destinations.isStalled(trains[queued[i]].destination)) {
        held++;
      }
    }
    return held >= Math.max(1, trains.length - trains.length / 4);
  }

  /** Hands datagrams to the provider, as long as the provider takes datagrams. */
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

  /**
   * Hands the datagrams of a train to the provider; returns whether the train has left the queue.
   */
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
    finishIfComplete(index);
    return true;
  }

  /**
   * Lets datagrams of at most {@code bytes} go without a completion, if the provider takes as many;
   * 0 for none. One of {@value #INJECT_RUN} goes with a completion all the same, so that the window
   * bounds these datagrams, too.
   */
  void injectUpTo(int bytes) {
    injectBytes = bytes;
  }

  private long send(Train train, int index) {
    int bytes = train.nextBytes();
    if (bytes <= injectBytes && injectedInRow < INJECT_RUN - 1) {
      return inject(train, bytes);
    }
    injectedInRow = 0;
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
    train.inFlight++;
    onAccepted(train, bytes);
    return 0;
  }

  private long inject(Train train, int bytes) {
    long rc =
        verbs.inject(
            train.address + train.postedBytes,
            bytes,
            destinations.providerAddress(train.destination));
    if (rc == 0) {
      injectedInRow++;
      fabricCounters.injected++;
      onAccepted(train, bytes);
    }
    return rc;
  }

  private void onAccepted(Train train, int bytes) {
    train.postedBytes += bytes;
    counters.sendCalls++;
    counters.datagramsSent++;
    counters.bytesSent += bytes;
    destinations.onAccepted(train.destination);
  }

  private void abandon(int index, int status) {
    Train train = trains[index];
    counters.sendFailures += train.remainingDatagrams();
    train.stage = Train.Stage.LEFT;
    train.status = status;
    finishIfComplete(index);
  }

  /** Handles the completion of a datagram of a train. */
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
