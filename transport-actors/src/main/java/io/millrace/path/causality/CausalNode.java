package io.millrace.path.causality;

import io.millrace.transfer.CallOutcome;

/** A transfer that waits for others, or that others may wait for. On the thread of its worker. */
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

  /** A transfer of this token that waits for all of these. */
  protected CausalNode(SlotToken token, CausalEdge[] edges) {
    this.token = token;
    this.edges = edges;
  }

  /** Its token. */
  public final SlotToken token() {
    return token;
  }

  /** What it waits for. */
  protected final CausalEdge[] edges() {
    return edges;
  }

  /** Everything that it waits for is there: it begins. Once. */
  protected abstract void onReleased();

  /** It cannot begin, or must end. {@link #root} is set. */
  protected abstract void onFailed(CallOutcome outcome, String text);

  /** One that it waits for has failed, and it will. */
  protected void onFailing(CausalEdge edge) {}

  /** Whether it may be sent now though the other was not answered, for it goes behind it. */
  protected boolean mayFollow(CausalNode other) {
    return false;
  }

  /** Nothing that it was sent behind is unanswered any more. */
  protected void onClear() {}

  /** Begins to wait; its slot is there, and those of all it waits for. */
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

  /** It does not wait any more. */
  private void uncount() {
    if (isCounted) {
      isCounted = false;
      token.group().onWaiting(-1);
    }
  }

  /** Begins to wait, on its worker's thread, soon; any thread. */
  public final void beginSoon() {
    token.group().post(this::begin);
  }

  /** Whether it has begun to wait and not to run. */
  public final boolean isWaiting() {
    return isBegun && !isReleased && !isOver;
  }

  /** Whether it was sent behind others that were not answered yet. */
  public final boolean isFollowing() {
    return following > 0;
  }

  /** How many it follows. */
  public final int followingCount() {
    return following;
  }

  /** What it follows must be answered first, after all. */
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

  /** One that it waits for is where it has to be. */
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

  /** It may go behind one that it waits for. */
  void onFollow(CausalEdge edge, CausalNode other) {
    if (edge.state == CausalEdge.State.WAITING && !isOver && mayFollow(other)) {
      edge.state = CausalEdge.State.FOLLOWING;
      edge.followed = other;
      following++;
      blocking--;
      releaseIfFree();
    }
  }

  /** One that it waits for has failed; {@code failedRoot} is 0 if how it ended is forgotten. */
  void onDependencyFailed(CausalEdge edge, long failedRoot) {
    if (isOver) {
      return;
    }
    root = failedRoot == 0 ? edge.on.id() : failedRoot;
    token.group().onDependencyFailed(token, root);
    onFailing(edge);
    if (failedRoot == 0) {
      onFailed(
          CallOutcome.DEPENDENCY_EXPIRED,
          "how the transfer " + SlotToken.text(edge.on.id()) + " ended is forgotten");
    } else {
      onFailed(CallOutcome.DEPENDENCY_FAILED, textOf(failedRoot, edge.on.id()));
    }
  }

  /** Its worker ends, and it waits still. */
  void onWorkerEnded(CallOutcome outcome, String text) {
    if (isWaiting()) {
      onFailed(outcome, text);
    }
  }

  /** What is said of a failure whose root is one and that came by another, or 0. */
  protected static String textOf(long failedRoot, long by) {
    return "the transfer "
        + SlotToken.text(failedRoot)
        + " failed, on which this one depends"
        + (by == 0 || failedRoot == by ? "" : " through others");
  }

  /** The root of its failure as its peer tells it. */
  protected final void root(long told) {
    root = told;
  }

  /** The id of the transfer whose failure made this one fail; 0 if none did. */
  public final long root() {
    return root;
  }

  /** The transfer whose failure made this one fail; only if {@link #root} is not 0. */
  public final SlotToken rootToken() {
    return token.group().tokenOf(root);
  }

  /** It has ended so; the first time counts. On its worker's thread. */
  public final void end(boolean isSuccess) {
    if (!isOver) {
      isOver = true;
      uncount();
      token.group().onEnded(this, isSuccess, isSuccess ? 0 : failure());
    }
  }

  /** It has ended so before its worker knew of it; any thread. */
  public final void endUnknown() {
    if (!isOver) {
      isOver = true;
      token.group().endSoon(this, failure());
    }
  }

  private long failure() {
    return root == 0 ? token.id() : root;
  }

  /** Whether it has ended. */
  public final boolean isOver() {
    return isOver;
  }
}
