package io.millrace.ends;

import io.millrace.protocol.stream.ElementMemory;
import io.millrace.protocol.stream.ElementSink;
import io.millrace.transfer.CallOutcome;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The elements of one flow on their way from the worker to a stage. The waiting elements never
 * exceed the worker's announcement to the sender: the elements taken plus the window. The worker's
 * thread adds, and at a time a single thread takes (the stage); no lock. The worker's memory for an
 * element is given back after the element was taken, in steps while more elements wait, or when no
 * stage will take the element any more.
 */
public final class ElementInlet implements ElementSink {
  private static final int STEP_BYTES = 16 << 10;
  private static final AtomicLongFieldUpdater<ElementInlet> GIVEN_BACK =
      AtomicLongFieldUpdater.newUpdater(ElementInlet.class, "givenBackBytes");
  private static final AtomicReferenceFieldUpdater<ElementInlet, @Nullable StreamEnd> END =
      AtomicReferenceFieldUpdater.newUpdater(ElementInlet.class, StreamEnd.class, "end");

  private final Runnable signal;
  private final long tellElements;
  private final long tellBytes;
  private final ConcurrentLinkedQueue<byte[]> queue = new ConcurrentLinkedQueue<>();
  private volatile Runnable listener = () -> {};
  private volatile boolean waiting;
  private volatile @Nullable StreamEnd end;
  private volatile boolean cancelled;
  private volatile long consumedElements;
  private volatile long consumedBytes;

  /** The elements taken at the last message to the sender; the worker's. */
  private volatile long toldElements;

  private volatile long toldBytes;

  /** The memory given back so far of the elements taken. */
  private volatile long givenBackBytes;

  /** The source of the elements' memory; set before the first element. */
  private @Nullable ElementMemory memory;

  ElementInlet(Runnable signal, long windowElements, long windowBytes) {
    this.signal = signal;
    tellElements = Math.max(1, windowElements >> 1);
    tellBytes = Math.max(1, windowBytes >> 1);
  }

  /**
   * Sets the listener, told on the worker's thread or on the thread that gives the flow up, when
   * elements are present again, or when the flow has ended.
   */
  public void listener(Runnable listener) {
    this.listener = listener;
  }

  /** Sets the memory that counts the elements waiting here. Before the first. */
  public void memory(ElementMemory memory) {
    this.memory = memory;
  }

  /** The next element, or null; after null the listener is told of the next element. */
  public byte @Nullable [] poll() {
    byte[] element = queue.poll();
    if (element == null) {
      waiting = true;
      element = queue.poll();
    }
    if (element == null) {
      return null;
    }
    if (isCut()) {
      // Earlier elements may have been dropped meanwhile: this element would follow a gap.
      giveBack(ElementMemory.cost(1, element.length));
      return null;
    }
    onTaken(element.length);
    return element;
  }

  private boolean isCut() {
    StreamEnd how = end;
    return how != null && how.outcome() != CallOutcome.OK;
  }

  private void onTaken(int length) {
    // Only this thread writes these fields.
    long elements = consumedElements + 1;
    long bytes = consumedBytes + length;
    consumedElements = elements;
    consumedBytes = bytes;
    if (queue.isEmpty() || ElementMemory.cost(elements, bytes) - givenBackBytes >= STEP_BYTES) {
      giveBackTaken();
    }
    if (elements - toldElements >= tellElements || bytes - toldBytes >= tellBytes) {
      signal.run();
    }
  }

  /** Any thread: each byte is given back once. */
  private void giveBackTaken() {
    long bytes = ElementMemory.cost(consumedElements, consumedBytes);
    long before = GIVEN_BACK.getAndAccumulate(this, bytes, Math::max);
    giveBack(bytes - before);
  }

  private void giveBack(long bytes) {
    ElementMemory from = memory;
    if (from != null && bytes > 0) {
      from.giveBack(bytes);
    }
  }

  /** The worker tells the sender the credit for this number of taken elements. */
  public void onTold(long elements, long bytes) {
    toldElements = elements;
    toldBytes = bytes;
  }

  /** The sender is told nothing more. */
  public void onToldAll() {
    onTold(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /** Whether no element waits. */
  public boolean isEmpty() {
    return queue.isEmpty();
  }

  /** The end of the flow, or null. After a good end, elements may still wait. */
  public @Nullable StreamEnd end() {
    return end;
  }

  /**
   * The taking stage wants no more elements; {@link #giveUp} is for other callers, which must not
   * end the flow in this way.
   */
  public void cancel() {
    cancelled = true;
    drop();
    signal.run();
  }

  @Override
  public void onElement(byte[] element) {
    queue.add(element);
    if (cancelled) {
      drop();
    }
    wake();
  }

  /** The sender has ended so. On the worker's thread; only the first counts. */
  public void onEnd(StreamEnd how) {
    if (END.compareAndSet(this, null, how)) {
      if (how.outcome() != CallOutcome.OK) {
        drop();
      }
      listener.run();
    }
  }

  /**
   * No stage is to take the remaining elements, present or not: the flow has failed, unless the
   * flow was taken whole before. Any thread.
   */
  public void giveUp(StreamEnd how) {
    // Ahead of the elements: a stage that finds no element left must not take the flow for whole.
    end = how;
    cancel();
    listener.run();
  }

  /** Whether the stage wants no more. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Elements that the stage has taken. */
  public long consumedElements() {
    return consumedElements;
  }

  /** Bytes of the elements that the stage has taken. */
  public long consumedBytes() {
    return consumedBytes;
  }

  /** Lets go of elements that no stage will take any more. Any thread. */
  public void drop() {
    long bytes = 0;
    byte[] element;
    while ((element = queue.poll()) != null) {
      bytes += ElementMemory.cost(1, element.length);
    }
    giveBack(bytes);
    giveBackTaken();
  }

  private void wake() {
    if (waiting) {
      waiting = false;
      listener.run();
    }
  }
}
