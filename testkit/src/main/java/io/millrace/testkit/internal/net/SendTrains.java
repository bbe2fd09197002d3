package io.millrace.testkit.internal.net;

import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The send buffers of an endpoint, the posted trains, and the trains that wait for a poll of their
 * completion. Memory is taken for as many buffers as were ever in use at once. Thread of the
 * simulation.
 *
 * @param <D> type of destinations
 */
public final class SendTrains<D> {
  private final NativeBlocks blocks;
  private final Capabilities capabilities;
  private final int bufferBytes;
  private final List<Train<D>> trains = new ArrayList<>();
  private final int capacity;
  private final ArrayDeque<Train<D>> free = new ArrayDeque<>();
  private final ArrayDeque<Train<D>> posted = new ArrayDeque<>();
  private final ArrayDeque<Train<D>> sent = new ArrayDeque<>();

  /**
   * Creates free buffers.
   *
   * @param capacity most buffers
   * @param bufferBytes room in each buffer
   * @param capabilities limits of the trains
   */
  public SendTrains(NativeBlocks blocks, int capacity, int bufferBytes, Capabilities capabilities) {
    this.blocks = blocks;
    this.capacity = capacity;
    this.bufferBytes = bufferBytes;
    this.capabilities = capabilities;
  }

  /** A send buffer and the train in it: taken, posted, on its way out, complete, free. */
  public static final class Train<D> {
    // Fills a buffer that went out: late readers of the buffer read nonsense.
    private static final byte POISON = (byte) 0xD5;

    private final SendBuffer buffer;
    private State state = State.FREE;
    private @Nullable D destination;
    private int length;
    private int segmentLength;
    private int status;
    private long context;
    private long doneNs;
    int sourcePort;

    private enum State {
      FREE,
      TAKEN,
      POSTED
    }

    private Train(SendBuffer buffer) {
      this.buffer = buffer;
    }

    /** Its bytes. */
    public SegmentBuffer bytes() {
      return buffer.buffer();
    }

    /** The destination, or null if the train cannot be sent. */
    public @Nullable D destination() {
      return status == CompletionHandler.STATUS_OK ? destination : null;
    }

    /** Number of bytes, all datagrams of the train together. */
    public int length() {
      return length;
    }

    /** The length of each datagram of the train but the last. */
    public int segmentLength() {
      return segmentLength;
    }

    /** Time when the last byte has left. */
    public long doneNs() {
      return doneNs;
    }

    void fail() {
      status = CompletionHandler.STATUS_FAILED;
    }

    /** Reports the completion of the train; the handler may take the buffer again at once. */
    public void complete(CompletionHandler handler) {
      handler.onSendComplete(context, status);
    }
  }

  /** A free buffer, or null. */
  public @Nullable SendBuffer acquire() {
    Train<D> train = free.pollLast();
    if (train == null) {
      if (trains.size() == capacity) {
        return null;
      }
      train = new Train<>(new SendBuffer(trains.size(), blocks.acquire(bufferBytes)));
      trains.add(train);
    }
    train.state = Train.State.TAKEN;
    return train.buffer;
  }

  /** Gives back a buffer without a post. */
  public void release(SendBuffer buffer) {
    Train<D> train = taken(buffer);
    train.state = Train.State.FREE;
    free.addLast(train);
  }

  /**
   * Posts a train; the train fails without a destination or with wrong lengths.
   *
   * @param destination of the train; null after a release
   */
  public Train<D> post(
      SendBuffer buffer, @Nullable D destination, int length, int segmentLength, long context) {
    Train<D> train = taken(buffer);
    train.state = Train.State.POSTED;
    train.destination = destination;
    train.length = Math.clamp(length, 0, buffer.capacity());
    train.segmentLength = segmentLength;
    train.context = context;
    train.status = CompletionHandler.STATUS_OK;
    if (destination == null || !isSendable(length, segmentLength)) {
      train.fail();
    }
    posted.addLast(train);
    return train;
  }

  private boolean isSendable(int length, int segmentLength) {
    return length > 0
        && segmentLength > 0
        && length <= capabilities.maxTrainBytes()
        && Math.min(length, segmentLength) <= capabilities.maxDatagramBytes()
        && (length + segmentLength - 1L) / segmentLength <= capabilities.maxTrainPackets();
  }

  private Train<D> taken(SendBuffer buffer) {
    Train<D> train = buffer.index() < trains.size() ? trains.get(buffer.index()) : null;
    if (train == null || train.buffer != buffer || train.state != Train.State.TAKEN) {
      throw new IllegalStateException(
          "send buffer " + buffer.index() + " was not acquired, or was given back already");
    }
    return train;
  }

  /** The next train to send, or null. */
  public @Nullable Train<D> pollPosted() {
    return posted.pollFirst();
  }

  /** Records that a train was sent, or failed; the train is complete at {@code doneNs}. */
  public void onSent(Train<D> train, long doneNs) {
    train.doneNs = doneNs;
    sent.addLast(train);
  }

  /** The next train gone from the interface by {@code nowNs}, its buffer free again, or null. */
  public @Nullable Train<D> pollDone(long nowNs) {
    Train<D> train = sent.peekFirst();
    if (train == null || train.doneNs > nowNs) {
      return null;
    }
    sent.removeFirst();
    train.bytes().setMemory(0, train.length, Train.POISON);
    train.state = Train.State.FREE;
    free.addLast(train);
    return train;
  }

  /** Gives all memory back. */
  public void close() {
    trains.forEach(train -> blocks.release(train.bytes()));
    trains.clear();
    free.clear();
    posted.clear();
    sent.clear();
  }
}
