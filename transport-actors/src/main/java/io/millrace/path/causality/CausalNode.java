package io.millrace.path.causality;

import io.millrace.transfer.CallOutcome;

/**
 * A transfer with dependencies on other transfers, or with dependents. On the thread of the
 * transfer's worker.
 */
public abstract class CausalNode {
  private final SlotToken token;
  private final CausalEdge[] edges;
  private int blocking;
  private int following;
  private boolean isBegun;
  private boolean isCounted;
  private boolean isReleased;
  private volatile boolean isOver;
  private volatile long root;

  /** A transfer of this token, waiting for all of these edges. */
  protected CausalNode(SlotToken token, CausalEdge[] edges) {
    this.token = token;
    this.edges = edges;
  }

  /** The token of the transfer. */
  public final SlotToken token() {
    return token;
  }

  /** The dependencies of the transfer. */
  protected final CausalEdge[] edges() {
    return edges;
  }

  /** All dependencies are met: the transfer begins. Called once. */
  protected abstract void onReleased();

  /** The transfer cannot begin, or must end. {@link #root} is set. */
  protected abstract void onFailed(CallOutcome outcome, String text);

  /** A dependency of the transfer has failed, and the transfer fails next. */
  protected void onFailing(CausalEdge edge) {}

  /** Whether this transfer may be sent now, behind the unanswered other transfer. */
  protected boolean mayFollow(CausalNode other) {
    return false;
  }

  /** All transfers ahead of this transfer are answered. */
  protected void onClear() {}

  /** Begins to wait; the slots of the transfer and of all dependencies exist. */
  public final void begin() {
    isBegun = true;
    blocking = edges.length;
    for (CausalEdge edge : edges) {
      edge.node(this);
    }
    token.group().onBegun(this);
    token.group().onWaiting(1);
    isCounted = true;
    token.group().register(edges);
    releaseIfFree();
  }

  /** Counts the transfer as waiting no more. */
  private void uncount() {
    if (isCounted) {
      isCounted = false;
      token.group().onWaiting(-1);
    }
  }

  /** Begins to wait, on the thread of the transfer's worker, soon; any thread. */
  public final void beginSoon() {
    token.group().post(this::begin);
  }

  /** Whether the transfer has begun to wait and not to run. */
  public final boolean isWaiting() {
    return isBegun && !isReleased && !isOver;
  }

  /** Whether the transfer was sent behind transfers not answered yet. */
  public final boolean isFollowing() {
    return following > 0;
  }

  /** The number of transfers ahead of this transfer. */
  public final int followingCount() {
    return following;
  }

  /** The transfers ahead must be answered first, after all. */
  protected final void waitAgain() {
    for (CausalEdge edge : edges) {
      if (edge.state == CausalEdge.State.FOLLOWING) {
        edge.state = CausalEdge.State.WAITING;
        edge.followed = null;
        following--;
        blocking++;
      }
    }
    isReleased = false;
    isCounted = true;
    token.group().onWaiting(1);
  }

  private void releaseIfFree() {
    if (blocking == 0 && !isReleased && !isOver) {
      isReleased = true;
      uncount();
      onReleased();
    }
  }

  /** A dependency has come as far as needed. */
  void onMet(CausalEdge edge) {
    CausalEdge.State before = edge.state;
    edge.state = CausalEdge.State.MET;
    edge.followed = null;
    if (before == CausalEdge.State.FOLLOWING) {
      following--;
      if (following == 0 && !isOver) {
        onClear();
      }
    } else if (before == CausalEdge.State.WAITING) {
      blocking--;
      releaseIfFree();
    }
  }

  /** The transfer may go behind a dependency. */
  void onFollow(CausalEdge edge, CausalNode other) {
    if (edge.state == CausalEdge.State.WAITING && !isOver && mayFollow(other)) {
      edge.state = CausalEdge.State.FOLLOWING;
      edge.followed = other;
      following++;
      blocking--;
      releaseIfFree();
    }
  }

  /**
   * A dependency has failed; {@code failedRoot} is 0 if the outcome of the dependency is forgotten.
   */
  void onDependencyFailed(CausalEdge edge, long failedRoot) {
    if (isOver) {
      return;
    }
    root = failedRoot == 0 ? edge.on.id() : failedRoot;
    token.group().onDependencyFailed(token, root);
    token.failedBecause(edge.on.reason());
    onFailing(edge);
    if (failedRoot == 0) {
      onFailed(
          CallOutcome.DEPENDENCY_EXPIRED,
          "how the transfer " + SlotToken.text(edge.on.id()) + " ended is forgotten");
    } else {
      onFailed(CallOutcome.DEPENDENCY_FAILED, textOf(failedRoot, edge.on.id(), edge.on.reason()));
    }
  }

  /** The worker of the transfer ends during the transfer's wait. */
  void onWorkerEnded(CallOutcome outcome, String text) {
    if (isWaiting()) {
      onFailed(outcome, text);
    }
  }

  /**
   * Returns the text of a failure with this root; {@code by} is the failed dependency, or 0 if
   * unknown; {@code reason} is the failure of the root, or empty.
   */
  private static String textOf(long failedRoot, long by, String reason) {
    return "the transfer "
        + SlotToken.text(failedRoot)
        + " failed, and this transfer depends on it"
        + (by == 0 || failedRoot == by ? "" : " through others")
        + (reason.isEmpty() ? "" : ": " + reason);
  }

  /** Returns the text of a failure with this root, as told by the peer. */
  protected final String textOf(long failedRoot) {
    String reason = "";
    for (CausalEdge edge : edges) {
      if (edge.on.id() == failedRoot) {
        reason = edge.on.reason();
      }
    }
    return textOf(failedRoot, 0, reason);
  }

  /** Sets the root of the failure as told by the peer. */
  protected final void root(long told) {
    root = told;
  }

  /** The id of the transfer at the root of this transfer's failure; 0 without such a transfer. */
  public final long root() {
    return root;
  }

  /** The transfer at the root of this transfer's failure; only if {@link #root} is not 0. */
  public final SlotToken rootToken() {
    return token.group().tokenOf(root);
  }

  /**
   * The transfer has ended with this result; the first end counts. On the thread of the transfer's
   * worker.
   */
  public final void end(boolean isSuccess) {
    if (!isOver) {
      isOver = true;
      uncount();
      token.group().onEnded(this, isSuccess, isSuccess ? 0 : failure());
    }
  }

  /** The transfer has ended before the worker knew of the transfer; any thread. */
  public final void endUnknown() {
    if (!isOver) {
      isOver = true;
      token.group().endSoon(this, failure());
    }
  }

  private long failure() {
    return root == 0 ? token.id() : root;
  }

  /** Whether the transfer has ended. */
  public final boolean isOver() {
    return isOver;
  }
}
