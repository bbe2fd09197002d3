package io.millrace.testkit.internal.net;

import io.millrace.driver.SendBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The send buffers of an endpoint, the trains that are posted and those that wait for their
 * completion to be polled. Memory is taken for as many buffers as were ever in use at once.
 */
final class SendTrains {
  private final NativeBlocks blocks;
  private final int trainBytes;
  private final Train[] trains;
  private final ArrayDeque<Train> free = new ArrayDeque<>();
  private final ArrayDeque<Train> posted = new ArrayDeque<>();
  private final ArrayDeque<Train> sent = new ArrayDeque<>();
  private int made;

  /** As many buffers as {@code capacity}, each with room for a train of so many bytes. */
  SendTrains(NativeBlocks blocks, int capacity, int trainBytes) {
    this.blocks = blocks;
    this.trainBytes = trainBytes;
    this.trains = new Train[capacity];
  }

  @Nullable SendBuffer acquire() {
    Train train = free.pollLast();
    if (train == null && made < trains.length) {
      train = new Train(made, blocks.acquire(trainBytes));
      trains[made++] = train;
    }
    if (train == null) {
      return null;
    }
    train.state = Train.State.TAKEN;
    return train.buffer;
  }

  void release(SendBuffer buffer) {
    Train train = taken(buffer);
    train.state = Train.State.FREE;
    free.addLast(train);
  }

  Train post(SendBuffer buffer) {
    Train train = taken(buffer);
    train.state = Train.State.POSTED;
    posted.addLast(train);
    return train;
  }

  private Train taken(SendBuffer buffer) {
    Train train = buffer.index() < made ? trains[buffer.index()] : null;
    if (train == null || train.buffer != buffer || train.state != Train.State.TAKEN) {
      throw new IllegalStateException(
          "send buffer " + buffer.index() + " was not acquired, or was given back already");
    }
    return train;
  }

  @Nullable Train pollPosted() {
    return posted.pollFirst();
  }

  void onSent(Train train) {
    sent.addLast(train);
  }

  /** The next train that left the interface by {@code nowNs}, its buffer free again, or null. */
  @Nullable Train pollDone(long nowNs) {
    Train train = sent.peekFirst();
    if (train == null || train.doneNs - nowNs > 0) {
      return null;
    }
    sent.removeFirst();
    train.poison();
    train.state = Train.State.FREE;
    free.addLast(train);
    return train;
  }

  void close() {
    for (int i = 0; i < made; i++) {
      blocks.release(trains[i].memory);
    }
    made = 0;
    free.clear();
    posted.clear();
    sent.clear();
  }
}
