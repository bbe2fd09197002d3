package io.millrace.api;

import io.millrace.actor.body.SharedPayload;

/**
 * A payload that was sealed once, in memory of the node, to be sent to any number of peers and as
 * often as wanted until it is closed; made by {@link Transport#seal} or, several in one allocation,
 * by {@link Transport#sealAll}. All who get it have its data key, and no other payload has that
 * key. One that is authenticated only is what it was, with its tags. Any thread.
 *
 * <p>Its owner holds all of it until {@link #close}. After that each range of its memory goes back
 * as soon as the last transfer that was begun is done with that range, and that of a batch with the
 * last of the batch.
 */
public final class SealedPayload implements AutoCloseable {
  private final SharedPayload shared;
  private boolean closed;

  SealedPayload(SharedPayload shared) {
    this.shared = shared;
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
  synchronized SharedPayload retain(int transfers) {
    if (closed) {
      throw new IllegalStateException("the payload was closed");
    }
    shared.retain(transfers);
    return shared;
  }

  /** No transfer can be begun with it any more; those that were go on. Idempotent. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      shared.release();
    }
  }
}
