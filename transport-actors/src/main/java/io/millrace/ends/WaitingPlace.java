package io.millrace.ends;

import org.jspecify.annotations.Nullable;

/** The place of one submission in a {@link WaitingLine}. On the thread of its worker. */
public final class WaitingPlace {
  final long order;
  final int priority;
  final @Nullable CompletionPlaces completions;
  private final WaitingLine line;

  /** Who came after it, once that is linked. */
  volatile @Nullable WaitingPlace arrivedNext;

  /** Neighbours in the line of its priority. */
  @Nullable WaitingPlace previous;

  @Nullable WaitingPlace next;

  /** Who waits; null once it does not. */
  private @Nullable Submission submission;

  /**
   * A place that is in no line yet.
   *
   * @param submission who waits; null for a place that nobody has
   * @param completions where it needs a place for its completion, or null
   */
  WaitingPlace(
      WaitingLine line,
      long order,
      @Nullable Submission submission,
      @Nullable CompletionPlaces completions) {
    this.line = line;
    this.order = order;
    this.submission = submission;
    this.completions = completions;
    priority = submission == null ? 0 : submission.priority();
  }

  /**
   * Gives the place up: the submission is not taken any more, and told nothing. It has a place for
   * its completion from then on, if it wanted one.
   *
   * @return false if it did not wait any more
   */
  public boolean leave() {
    return submission != null && line.leave(this);
  }

  @Nullable Submission submission() {
    return submission;
  }

  /** It does not wait any more; says who it was. */
  Submission vacate() {
    Submission waited = submission;
    if (waited == null) {
      throw new IllegalStateException("nobody waits here any more");
    }
    submission = null;
    return waited;
  }
}
