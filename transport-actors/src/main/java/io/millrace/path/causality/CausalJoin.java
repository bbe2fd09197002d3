package io.millrace.path.causality;

import io.millrace.transfer.CallOutcome;

/**
 * Stands for {@code needed} of several transfers: succeeds when so many have, fails when they
 * cannot any more. On the thread of its worker.
 */
public final class CausalJoin extends CausalNode {
  private final int needed;
  private int met;
  private int failed;

  /** A join of this token; with edges that do not cascade a failure counts as an end. */
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
    // It runs nowhere: it can only wait.
  }

  @Override
  void onDependencyFailed(CausalEdge edge, long failedRoot) {
    if (edge.state == CausalEdge.State.MET) {
      // Its request was on its way, and it has failed since.
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
    // It ends when enough were met, which may be before all are.
  }

  @Override
  protected void onFailed(CallOutcome outcome, String text) {
    throw new IllegalStateException("a join counts failures");
  }
}
