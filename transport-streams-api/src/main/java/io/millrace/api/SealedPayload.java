package io.millrace.api;

import io.millrace.body.SharedPayload;
import io.millrace.buffer.DropWatch;
import java.lang.ref.Reference;

/**
 * A payload sealed once, in memory of the node, for any number of transfers to any peers until the
 * payload is closed. Created by {@link Transport#seal} or, several in one allocation, by {@link
 * Transport#sealAll}. All receivers of the payload get its data key, and no other payload has the
 * same key. A payload with authentication only keeps its bytes in plain, with tags. Any thread.
 *
 * <p>The owner holds all of the payload's memory until {@link #close}. After the close, each range
 * of the memory goes back as soon as the last transfer is done with the range. The memory of a
 * batch goes back with the last payload of the batch.
 *
 * <p>If the application drops a payload without a close, the node closes the payload when the
 * garbage collector finds the object. {@link io.millrace.event.TransportEvents#onBufferLeaked}
 * reports the leak. Memory is short until then.
 */
public final class SealedPayload implements AutoCloseable {
  private final SharedPayload shared;
  private final Hold hold;
  private Runnable endWatch = () -> {};

  private SealedPayload(SharedPayload shared) {
    this.shared = shared;
    hold = new Hold(shared);
  }

  /** Returns a payload whose memory also goes back when the application drops the payload. */
  static SealedPayload of(SharedPayload shared, DropWatch drops) {
    SealedPayload payload = new SealedPayload(shared);
    payload.endWatch = drops.watch(payload, payload.hold::onDropped);
    return payload;
  }

  /** The owner's hold of the memory, which outlives the payload object. */
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

  /** Returns the number of payload bytes, without headers. */
  public long payloadBytes() {
    return (long) shared.bodyBytes() - shared.headersBytes();
  }

  /**
   * Returns the number of holders of the memory: the owner and each transfer; 0 once all memory is
   * given back.
   */
  public int refCount() {
    return shared.refCount();
  }

  /** Returns the bytes of headers and payload whose memory is still held. */
  public long heldBytes() {
    return shared.heldBytes();
  }

  /**
   * Adds holds for this number of further transfers.
   *
   * @throws IllegalStateException once closed
   */
  SharedPayload retain(int transfers) {
    try {
      hold.retain(transfers);
      return shared;
    } finally {
      // Without this fence the payload may count as dropped during its last use.
      Reference.reachabilityFence(this);
    }
  }

  /** Closes the payload for new transfers; transfers under way go on. Idempotent. */
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
