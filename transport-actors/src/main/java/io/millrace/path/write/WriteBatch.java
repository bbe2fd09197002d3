package io.millrace.path.write;

import io.millrace.body.BodyTerms;
import io.millrace.protocol.region.WriteToken;
import org.jspecify.annotations.Nullable;

/**
 * The one-sided writes of one fill into one region. It outlives the fill where writes are still
 * under way: only when the last of them has ended is it known that nothing lands any more. Pooled
 * by its path; worker's thread only.
 *
 * <pre>
 * WRITING -(all bytes done)-> NOTIFIED
 * WRITING, GIVEN_UP -(fill revoked, key unknown, or path over)-> LEFT -(last write ended)-> over
 * WRITING -(fill given up)-> GIVEN_UP -(last write ended)-> the peer is told
 * WRITING, GIVEN_UP -(a write failed otherwise)-> FAILED -(last write ended)-> the peer is told
 * </pre>
 */
final class WriteBatch {
  /** Whose writes they are. */
  interface Owner {
    /** The peer's worker, as the endpoint knows it. */
    int destination();

    /** The driver is done with a write; what handling it throws stays with the path. */
    void onWriteEnded(WriteBatch batch, int length, int status, long nowNs);
  }

  /** What becomes of it when the last write has ended. */
  enum Phase {
    /** Its fill is being written. */
    WRITING,
    /** Nothing: the peer knows, or must not be told. */
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
  private int tokenFill;
  private int underWay;
  private int doneBytes;

  WriteBatch(Owner owner) {
    this.owner = owner;
  }

  Owner owner() {
    return owner;
  }

  void start(WriteFill begun) {
    fill = begun;
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

  /** The fill that is being written, or null once nobody waits for these writes. */
  @Nullable WriteFill fill() {
    return fill;
  }

  /** Its fill goes another way, or is over. */
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

  BodyTerms terms() {
    BodyTerms present = terms;
    if (present == null) {
      throw new IllegalStateException("the batch is over");
    }
    return present;
  }

  /** Whether its token still stands at the fill that these writes were for. */
  boolean isCurrent() {
    return token().fill() == tokenFill;
  }

  void onPosted() {
    underWay++;
  }

  void onEnded() {
    underWay--;
  }

  /** Bytes that are in the peer's memory, these included. */
  int onDone(int bytes) {
    doneBytes += bytes;
    return doneBytes;
  }

  boolean isUnderWay() {
    return underWay > 0;
  }

  /** Whether it waits for its next use. */
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
