package io.millrace.path.causality;

import io.millrace.transfer.CallOutcome;

/**
 * Stands for {@code needed} of several transfers: succeeds when {@code needed} transfers have
 * succeeded, and fails when too few can still succeed. On the thread of the join's worker.
 */
public final class CausalJoin extends CausalNode {
  private final int needed;
  private int met;
  private int failed;

  /** A join of this token; with edges that do not cascade, a failure counts as an end. */
  public CausalJoin(SlotToken token, CausalEdge[] edges, int needed) {
    super(token, edges);
    this.needed = needed;
  }

  @Override
  void onMet(CausalEdge edge) {
    if (edge.state == CausalEdge.State.MET) {
      return;
    }
    edge.state = CausalEdge.State.MET;
    met++;
    if (met == needed) {
      end(true);
    }
  }

  @Override
  void onFollow(CausalEdge edge, CausalNode other) {
    // A join runs nowhere: a join can only wait.
  }

  @Override
  void onDependencyFailed(CausalEdge edge, long failedRoot) {
    if (edge.state == CausalEdge.State.MET) {
      // The request of the transfer was on the way, and the transfer has failed since.
      met--;
    }
    failed++;
    if (failed > edges().length - needed && !isOver()) {
      root(failedRoot == 0 ? edge.on.id() : failedRoot);
      end(false);
    }
  }

  @Override
  void onWorkerEnded(CallOutcome outcome, String text) {
    end(false);
  }

  @Override
  protected void onReleased() {
    // The join ends with enough met edges, perhaps before all edges are met.
  }

  @Override
  protected void onFailed(CallOutcome outcome, String text) {
    throw new IllegalStateException("a join counts failures");
  }
}
