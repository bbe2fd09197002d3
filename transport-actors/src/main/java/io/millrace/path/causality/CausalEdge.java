package io.millrace.path.causality;

import io.millrace.transfer.DependencyKind;
import org.jspecify.annotations.Nullable;

/**
 * One transfer waits for another. Its links belong to the thread of the one that is waited for, its
 * state to the thread of the one that waits.
 */
public final class CausalEdge {
  /** How it stands. */
  enum State {
    /** It holds back the one that waits. */
    WAITING,
    /** The receiver holds it back from here on: it was sent behind the other. */
    FOLLOWING,
    /** It holds nothing back. */
    MET
  }

  final SlotToken on;
  final boolean isForResponse;
  final boolean isCascading;
  State state = State.WAITING;

  /** The transfer that is followed, while it is. */
  @Nullable CausalNode followed;

  private @Nullable CausalNode node;
  @Nullable CausalEdge previous;
  @Nullable CausalEdge next;
  boolean isListed;

  /** A dependency on a token. */
  public CausalEdge(SlotToken on, DependencyKind kind) {
    this.on = on;
    isForResponse = kind.isForResponse();
    isCascading = kind.isCascading();
  }

  void node(CausalNode waiting) {
    node = waiting;
  }

  CausalNode node() {
    CausalNode present = node;
    if (present == null) {
      throw new IllegalStateException("nobody waits");
    }
    return present;
  }

  /** The transfer that this one was sent behind, or null. */
  public @Nullable CausalNode followed() {
    return followed;
  }

  /** Whether it waits for the answer of the other. */
  public boolean isForResponse() {
    return isForResponse;
  }

  /** Whether a failure of the other is one of this. */
  public boolean isCascading() {
    return isCascading;
  }
}
