package io.millrace.path.write;

import io.millrace.body.BodyTerms;
import io.millrace.protocol.region.WriteToken;
import org.jspecify.annotations.Nullable;

/**
 * The one-sided writes of a fill into a region. The batch outlives the fill while writes are under
 * way: only the end of the last write proves that no more bytes land. Pooled by its path; worker's
 * thread only.
 *
 * <pre>
 * WRITING -(all bytes done)-> NOTIFIED
 * WRITING, GIVEN_UP -(fill revoked, key unknown, or path over)-> LEFT -(last write ended)-> over
 * WRITING -(fill given up)-> GIVEN_UP -(last write ended)-> the peer is told
 * WRITING, GIVEN_UP -(a write failed otherwise)-> FAILED -(last write ended)-> the peer is told
 * </pre>
 */
final class WriteBatch {
  /** The owner of the writes. */
  interface Owner {
    /** The peer's worker, under the number of the endpoint. */
    int destination();

    /** The driver is done with a write; an exception in the handling stays with the path. */
    void onWriteEnded(WriteBatch batch, int length, int status, long nowNs);
  }

  /** The last step of the batch, after the end of the last write. */
  enum Phase {
    /** The fill of the batch is being written. */
    WRITING,
    /** No further step: the peer knows, or must not be told. */
    LEFT,
    /** The peer may take the region for the next fill. */
    GIVEN_UP,
    /** The peer must take the region back, for a failed write may still land. */
    FAILED
  }

  private final Owner owner;
  private Phase phase = Phase.LEFT;
  private @Nullable WriteFill fill;
  private @Nullable WriteToken token;
  private @Nullable BodyTerms terms;
  private int endpoint;
  private int tokenFill;
  private int underWay;
  private int doneBytes;

  WriteBatch(Owner owner) {
    this.owner = owner;
  }

  Owner owner() {
    return owner;
  }

  /** The fill is written by this endpoint of the worker. */
  void start(WriteFill begun, int by) {
    fill = begun;
    endpoint = by;
    token = begun.token();
    terms = begun.body().terms();
    tokenFill = begun.token().fill();
    underWay = 0;
    doneBytes = 0;
    phase = Phase.WRITING;
  }

  Phase phase() {
    return phase;
  }

  /** The fill being written, or null once nobody waits for these writes. */
  @Nullable WriteFill fill() {
    return fill;
  }

  /** The fill goes another way, or is over. */
  void leave(Phase next) {
    phase = next;
    fill = null;
  }

  WriteToken token() {
    WriteToken present = token;
    if (present == null) {
      throw new IllegalStateException("the batch is over");
    }
    return present;
  }

  /** The endpoint of the worker that writes the fill. */
  int endpoint() {
    return endpoint;
  }

  BodyTerms terms() {
    BodyTerms present = terms;
    if (present == null) {
      throw new IllegalStateException("the batch is over");
    }
    return present;
  }

  /** Whether the token still stands at the fill of these writes. */
  boolean isCurrent() {
    return token().fill() == tokenFill;
  }

  void onPosted() {
    underWay++;
  }

  void onEnded() {
    underWay--;
  }

  /** Adds these bytes; returns the number of bytes in the peer's memory. */
  int onDone(int bytes) {
    doneBytes += bytes;
    return doneBytes;
  }

  boolean isUnderWay() {
    return underWay > 0;
  }

  /** Whether the batch waits for the next use. */
  boolean isFree() {
    return token == null;
  }

  void clear() {
    fill = null;
    token = null;
    terms = null;
    phase = Phase.LEFT;
  }
}
