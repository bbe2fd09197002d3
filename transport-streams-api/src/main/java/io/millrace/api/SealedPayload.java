package io.millrace.api;

import io.millrace.body.SharedPayload;
import io.millrace.buffer.DropWatch;
import java.lang.ref.Reference;

/**
 * A payload that was sealed once, in memory of the node, to be sent to any number of peers and as
 * often as wanted until it is closed; made by {@link Transport#seal} or, several in one allocation,
 * by {@link Transport#sealAll}. All who get it have its data key, and no other payload has that
 * key. One that is authenticated only is what it was, with its tags. Any thread.
 *
 * <p>Its owner holds all of it until {@link #close}. After that each range of its memory goes back
 * as soon as the last transfer that was begun is done with that range, and that of a batch with the
 * last of the batch.
 *
 * <p>One that is dropped without having been closed is closed when the collector finds it, and
 * {@link io.millrace.event.TransportEvents#onBufferLeaked} tells: memory is short until then.
 */
public final class SealedPayload implements AutoCloseable {
  private final SharedPayload shared;
  private final Hold hold;
  private Runnable endWatch = () -> {};

  private SealedPayload(SharedPayload shared) {
    this.shared = shared;
    hold = new Hold(shared);
  }

  /** One whose memory goes back, too, when it is dropped. */
  static SealedPayload of(SharedPayload shared, DropWatch drops) {
    SealedPayload payload = new SealedPayload(shared);
    payload.endWatch = drops.watch(payload, payload.hold::onDropped);
    return payload;
  }

  /** The owner's part, which outlives it. */
  private static final class Hold {
    private final SharedPayload shared;
    private boolean closed;

    private Hold(SharedPayload shared) {
      this.shared = shared;
    }

    private synchronized void retain(int transfers) {
      if (closed) {
        throw new IllegalStateException("the payload was closed");
      }
      shared.retain(transfers);
    }

    private synchronized boolean end() {
      boolean isEnded = closed;
      closed = true;
      return !isEnded;
    }

    private void close() {
      if (end()) {
        shared.release();
      }
    }

    private void onDropped() {
      if (end()) {
        shared.releaseDropped();
      }
    }
  }

  /** Payload bytes, without headers. */
  public long payloadBytes() {
    return (long) shared.bodyBytes() - shared.headersBytes();
  }

  /** How many hold its memory: its owner and each transfer; 0 once all of it was given back. */
  public int refCount() {
    return shared.refCount();
  }

  /** Bytes of headers and payload whose memory was not given back yet. */
  public long heldBytes() {
    return shared.heldBytes();
  }

  /**
   * So many transfers more hold it.
   *
   * @throws IllegalStateException once closed
   */
  SharedPayload retain(int transfers) {
    try {
      hold.retain(transfers);
      return shared;
    } finally {
      // Else it may count as dropped while it is used for the last time.
      Reference.reachabilityFence(this);
    }
  }

  /** No transfer can be begun with it any more; those that were go on. Idempotent. */
  @Override
  public void close() {
    try {
      hold.close();
      endWatch.run();
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
