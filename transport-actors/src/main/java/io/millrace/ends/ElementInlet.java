package io.millrace.ends;

import io.millrace.protocol.stream.ElementMemory;
import io.millrace.protocol.stream.ElementSink;
import io.millrace.transfer.CallOutcome;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The elements of one flow on their way from the worker to a stage. No more wait than the worker
 * announced to the sender, which is what was taken plus the window. One thread adds (the worker),
 * one at a time takes (the stage); no lock. What the worker set aside for an element is given back
 * when the element was taken, in steps while more wait, or when nobody will take it any more.
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

  /** What had been taken when the sender was told last; the worker's. */
  private volatile long toldElements;

  private volatile long toldBytes;

  /** Of what was taken, the memory that was given back. */
  private volatile long givenBackBytes;

  /** Where the memory of the elements is from; set before there are any. */
  private @Nullable ElementMemory memory;

  ElementInlet(Runnable signal, long windowElements, long windowBytes) {
    this.signal = signal;
    tellElements = Math.max(1, windowElements >> 1);
    tellBytes = Math.max(1, windowBytes >> 1);
  }

  /**
   * Who is told, on the worker's thread or that of whoever gives the flow up, that there are
   * elements again, or that there is an end.
   */
  public void listener(Runnable listener) {
    this.listener = listener;
  }

  /** What the elements that wait here are counted in. Before the first. */
  public void memory(ElementMemory memory) {
    this.memory = memory;
  }

  /** The next element, or null; then the listener is told once there is one. */
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
      // Those before it may have been dropped meanwhile: it would follow a gap.
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
    // Only this thread writes them.
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

  /** The worker tells the sender what follows from so much taken. */
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

  /** How the flow ended, or null. If it ended well, elements may still wait. */
  public @Nullable StreamEnd end() {
    return end;
  }

  /** Whoever takes them wants no more; {@link #giveUp} is for others, who must not end it so. */
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
   * Nobody is to take the rest, be it all here or not: the flow has failed so, unless it was taken
   * whole before. Any thread.
   */
  public void giveUp(StreamEnd how) {
    // Ahead of the elements: who finds that none is left must not take the flow for whole.
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

  /** What nobody will take any more is let go. Any thread. */
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
