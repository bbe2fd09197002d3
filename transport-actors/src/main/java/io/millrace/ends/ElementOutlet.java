package io.millrace.ends;

import io.millrace.protocol.stream.ElementSupply;
import io.millrace.wire.codec.CallStatus;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The elements of one flow on their way from a stage to the worker. At most as many wait as the
 * receiver takes, and no more begin once {@code windowBytes} wait. At a time a single thread offers
 * (the stage), and a single thread polls (the worker); no lock.
 */
public final class ElementOutlet implements ElementSupply {
  private final Runnable signal;
  private final long windowBytes;
  private final ElementLimit limit;
  private final ConcurrentLinkedQueue<byte[]> queue = new ConcurrentLinkedQueue<>();
  private volatile Runnable listener = () -> {};
  private volatile boolean waiting;
  private volatile long limitElements;
  private volatile long polledBytes;
  private volatile boolean ended;
  private volatile @Nullable Failure failure;
  private volatile @Nullable StreamEnd cancelled;

  /** Written by the stage only. */
  private long offeredElements;

  private long offeredBytes;

  /** The reason why the sending application gave its flow up. */
  public record Failure(CallStatus status, String text) {}

  ElementOutlet(Runnable signal, long windowBytes, ElementLimit limit) {
    this.signal = signal;
    this.windowBytes = windowBytes;
    this.limit = limit;
  }

  /**
   * Sets the listener, told on the worker's thread when the outlet has room again or the receiver
   * wants no more elements.
   */
  public void listener(Runnable listener) {
    this.listener = listener;
  }

  /** Whether an element may be offered; if not, the listener is told once there is room. */
  public boolean hasRoom() {
    if (isRoom()) {
      return true;
    }
    waiting = true;
    return isRoom();
  }

  private boolean isRoom() {
    return offeredElements < limitElements && offeredBytes - polledBytes < windowBytes;
  }

  /**
   * Ends the flow if this element is longer than this node sends; a response's headers, which come
   * first, are held to their own limit.
   *
   * @return the end of the flow, or null if the element may be offered
   */
  public @Nullable StreamEnd refuse(byte[] element) {
    boolean isHeaders = limit.isResponse() && offeredElements == 0;
    if (isHeaders || element.length <= limit.mostBytes()) {
      return null;
    }
    StreamEnd end = new StreamEnd(limit.outcome(), limit.problem(element.length));
    fail(limit.status(), end.text());
    return end;
  }

  /** Offers an element, which must not be changed afterwards. */
  public void offer(byte[] element) {
    offeredElements++;
    offeredBytes += element.length;
    queue.add(element);
    signal.run();
  }

  /** The stage will offer no more elements. */
  public void end() {
    ended = true;
    signal.run();
  }

  /** The stage will offer no more elements because of a failure; unsent elements are dropped. */
  public void fail(CallStatus status, String text) {
    failure = new Failure(status, text);
    signal.run();
  }

  /** Not null once the receiver wants no more, or can be reached no more. */
  public @Nullable StreamEnd cancelled() {
    return cancelled;
  }

  @Override
  public byte @Nullable [] poll() {
    byte[] element = queue.poll();
    if (element != null) {
      // Only this thread writes the field.
      long bytes = polledBytes + element.length;
      polledBytes = bytes;
    }
    return element;
  }

  /** The limit on an element's length. */
  public ElementLimit elementLimit() {
    return limit;
  }

  /** Whether no element waits for the worker. */
  public boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Whether the stage gives no more. */
  public boolean isEnded() {
    return ended;
  }

  /** The failure of the stage; null without a failure. */
  public @Nullable Failure failure() {
    return failure;
  }

  /** The receiver takes this number of elements in all. */
  public void limit(long elements) {
    limitElements = elements;
    wake();
  }

  /** Tells the stage if the stage waits for room and room is present. */
  public void wake() {
    if (waiting) {
      waiting = false;
      listener.run();
    }
  }

  /** The receiver wants no more. On the worker's thread. */
  public void onCancelled(StreamEnd end) {
    if (cancelled == null) {
      cancelled = end;
      queue.clear();
      listener.run();
    }
  }
}
