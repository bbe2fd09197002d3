package io.millrace.path.causality;

import io.millrace.transfer.DependencyKind;
import org.jspecify.annotations.Nullable;

/**
 * A dependency: one transfer waits for another. The links of the edge belong to the thread of the
 * transfer ahead, the state of the edge to the thread of the waiting transfer.
 */
public final class CausalEdge {
  /** The state of a dependency. */
  enum State {
    /** The edge holds back the waiting transfer. */
    WAITING,
    /**
     * The receiver holds the transfer back from here on: the transfer was sent behind the other
     * transfer.
     */
    FOLLOWING,
    /** The edge holds nothing back. */
    MET
  }

  final SlotToken on;
  final boolean isForResponse;
  final boolean isCascading;
  State state = State.WAITING;

  /** The transfer ahead, while this transfer follows. */
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
      throw new IllegalStateException("the edge has no waiting transfer");
    }
    return present;
  }

  /** The transfer ahead, behind which this transfer was sent, or null. */
  public @Nullable CausalNode followed() {
    return followed;
  }

  /** Whether the edge waits for the answer of the other transfer. */
  public boolean isForResponse() {
    return isForResponse;
  }

  /** Whether a failure of the other transfer is a failure of this transfer. */
  public boolean isCascading() {
    return isCascading;
  }
}
