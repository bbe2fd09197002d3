package io.millrace.udp.internal;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.MappedMemory;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The send buffers of an endpoint in their cycle: free, acquired, posted, done, free again. The
 * number of buffers bounds the length of the queue. Owned by the endpoint; one thread; does not
 * allocate after construction.
 */
public final class TrainQueue {
  // The page size and the offset of buffers from a page's beginning. On certain processors a copy
  // is many times slower if source and destination differ by 1 to 15 modulo the page size. The
  // system's buffers start close to a page: stay away from a page's beginning.
  private static final int PAGE_BYTES = 4_096;
  private static final int PAGE_OFFSET_BYTES = 128;

  private final MemorySegment memory;
  private final int capacityBytes;
  private final Train[] trains;
  private final Train[] free;
  private final Train[] posted;
  private final Train[] done;
  private int freeCount;
  private int postedCount;
  private int doneHead;
  private int doneCount;

  /**
   * Maps {@code buffers} send buffers of {@code capacityBytes} each; the buffers live as long as
   * the arena.
   */
  public TrainQueue(Arena arena, int buffers, int capacityBytes) {
    trains = new Train[buffers];
    free = new Train[buffers];
    posted = new Train[buffers];
    done = new Train[buffers];
    this.capacityBytes = capacityBytes;
    memory = MappedMemory.map(arena, offsetOf(buffers), PAGE_BYTES);
    for (int i = buffers - 1; i >= 0; i--) {
      long address = memory.address() + offsetOf(i);
      Train train = new Train(new SendBuffer(i, new SegmentBuffer(address, capacityBytes)));
      trains[i] = train;
      free[freeCount++] = train;
    }
  }

  private long offsetOf(int index) {
    long stride = (capacityBytes + PAGE_BYTES - 1L) / PAGE_BYTES * PAGE_BYTES;
    return PAGE_OFFSET_BYTES + index * stride;
  }

  /** Returns the number of send buffers. */
  public int capacity() {
    return trains.length;
  }

  /** Returns the memory of the send buffer with this slot number, for channels. */
  public ByteBuffer view(int index) {
    return memory.asSlice(offsetOf(index), capacityBytes).asByteBuffer();
  }

  /** Returns a free buffer, or null without a free buffer. */
  public @Nullable SendBuffer acquire() {
    if (freeCount == 0) {
      return null;
    }
    Train train = free[--freeCount];
    train.phase = Train.Phase.ACQUIRED;
    return train.buffer;
  }

  /**
   * Takes an acquired buffer back.
   *
   * @throws IllegalStateException if the buffer is not acquired from this queue
   */
  public void release(SendBuffer buffer) {
    Train train = acquired(buffer);
    train.phase = Train.Phase.FREE;
    free[freeCount++] = train;
  }

  /**
   * Puts a train at the end of the queue.
   *
   * @throws IllegalStateException if the buffer is not acquired from this queue
   */
  public void post(
      SendBuffer buffer, int destination, int length, int segmentLength, long context) {
    post(buffer, 0, destination, length, segmentLength, context);
  }

  /**
   * Puts a train at the end of the queue, for sending from a source port.
   *
   * @throws IllegalStateException if the buffer is not acquired from this queue
   */
  public void post(
      SendBuffer buffer,
      int sourcePort,
      int destination,
      int length,
      int segmentLength,
      long context) {
    Train train = acquired(buffer);
    train.start(sourcePort, destination, length, segmentLength, context);
    train.phase = Train.Phase.POSTED;
    posted[postedCount++] = train;
  }

  /** Fails a train that cannot be sent; the completion arrives like every other completion. */
  public void reject(SendBuffer buffer, long context) {
    Train train = acquired(buffer);
    train.start(0, -1, 0, 1, context);
    train.onFailed(0, CompletionHandler.STATUS_FAILED);
    train.phase = Train.Phase.POSTED;
    posted[postedCount++] = train;
  }

  private Train acquired(SendBuffer buffer) {
    int index = buffer.index();
    if (index < 0 || index >= trains.length || trains[index].buffer != buffer) {
      throw new IllegalStateException("the send buffer belongs to another endpoint");
    }
    Train train = trains[index];
    if (train.phase != Train.Phase.ACQUIRED) {
      throw new IllegalStateException("the send buffer is not acquired");
    }
    return train;
  }

  /** Returns the number of trains waiting for transmission. */
  public int postedCount() {
    return postedCount;
  }

  /** Returns the {@code i}th posted train, oldest first. */
  public Train posted(int i) {
    return posted[i];
  }

  /**
   * Moves every handled train from the posted trains to the completions; the remaining trains keep
   * their order.
   */
  public void retireHandled() {
    int kept = 0;
    for (int i = 0; i < postedCount; i++) {
      Train train = posted[i];
      if (train.isHandled()) {
        train.phase = Train.Phase.DONE;
        done[(doneHead + doneCount++) % done.length] = train;
      } else {
        posted[kept++] = train;
      }
    }
    postedCount = kept;
  }

  /**
   * Gives all present completions to {@code handler}, which may acquire, post and flush; each
   * buffer is free before its callback.
   *
   * @return the number of completions
   */
  public int reap(CompletionHandler handler) {
    int count = doneCount;
    for (int i = 0; i < count; i++) {
      Train train = done[doneHead];
      doneHead = (doneHead + 1) % done.length;
      doneCount--;
      train.phase = Train.Phase.FREE;
      free[freeCount++] = train;
      handler.onSendComplete(train.context(), train.status());
    }
    return count;
  }

  /**
   * Gives the pages of free buffers back to the system, neighbours together; the next train in such
   * a buffer finds zeros.
   */
  public void giveBack() {
    int index = 0;
    while (index < trains.length) {
      int first = index;
      while (index < trains.length && trains[index].phase == Train.Phase.FREE) {
        index++;
      }
      if (index > first) {
        long end = index == trains.length ? memory.byteSize() : offsetOf(index);
        MappedMemory.giveBack(memory, first == 0 ? 0 : offsetOf(first), end);
      } else {
        index++;
      }
    }
  }

  /**
   * Detaches every buffer from its memory, so a later use of a buffer fails instead of crashing.
   */
  public void close() {
    for (Train train : trains) {
      train.buffer.buffer().wrap(0, 0);
    }
    freeCount = 0;
    postedCount = 0;
    doneCount = 0;
  }
}
