package io.millrace.testkit.internal.fabric;

import io.millrace.driver.SendBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The send buffers of an endpoint, the trains that are posted and those that wait for their
 * completion to be polled. Memory is taken for as many buffers as were ever in use at once.
 */
final class FabricTrains {
  private final FabricBlocks blocks;
  private final PostedTrain[] trains;
  private final ArrayDeque<PostedTrain> free = new ArrayDeque<>();
  private final ArrayDeque<PostedTrain> posted = new ArrayDeque<>();
  private final ArrayDeque<PostedTrain> sent = new ArrayDeque<>();
  private int made;

  FabricTrains(FabricBlocks blocks, int capacity) {
    this.blocks = blocks;
    trains = new PostedTrain[capacity];
  }

  @Nullable SendBuffer acquire() {
    PostedTrain train = free.pollLast();
    if (train == null && made < trains.length) {
      train = new PostedTrain(made, blocks.acquire());
      trains[made++] = train;
    }
    if (train == null) {
      return null;
    }
    train.state = PostedTrain.State.TAKEN;
    return train.buffer;
  }

  void release(SendBuffer buffer) {
    PostedTrain train = taken(buffer);
    train.state = PostedTrain.State.FREE;
    free.addLast(train);
  }

  PostedTrain post(SendBuffer buffer) {
    PostedTrain train = taken(buffer);
    train.state = PostedTrain.State.POSTED;
    posted.addLast(train);
    return train;
  }

  private PostedTrain taken(SendBuffer buffer) {
    PostedTrain train = buffer.index() < made ? trains[buffer.index()] : null;
    if (train == null || train.buffer != buffer || train.state != PostedTrain.State.TAKEN) {
      throw new IllegalStateException(
          "send buffer " + buffer.index() + " was not acquired, or was given back already");
    }
    return train;
  }

  @Nullable PostedTrain pollPosted() {
    return posted.pollFirst();
  }

  void onSent(PostedTrain train) {
    sent.addLast(train);
  }

  /** The next train that was sent by {@code nowNs}, its buffer free again, or null. */
  @Nullable PostedTrain pollDone(long nowNs) {
    PostedTrain train = sent.peekFirst();
    if (train == null || train.doneNs > nowNs) {
      return null;
    }
    sent.removeFirst();
    train.poison();
    train.state = PostedTrain.State.FREE;
    free.addLast(train);
    return train;
  }

  void close() {
    for (int i = 0; i < made; i++) {
      blocks.release(trains[i].buffer.buffer());
    }
    made = 0;
    free.clear();
    posted.clear();
    sent.clear();
  }
}
