package io.millrace.ends;

import org.jspecify.annotations.Nullable;

/** The place of a submission in a {@link WaitingLine}. On the thread of the line's worker. */
public final class WaitingPlace {
  final long order;
  final int priority;
  final @Nullable CompletionPlaces completions;
  private final WaitingLine line;

  /** The next arrival, once linked. */
  volatile @Nullable WaitingPlace arrivedNext;

  /** Neighbours in the line of the same priority. */
  @Nullable WaitingPlace previous;

  @Nullable WaitingPlace next;

  /** The waiting submission; null after the wait. */
  private @Nullable Submission submission;

  /**
   * A place that is in no line yet.
   *
   * @param submission the waiting submission; null for an empty place
   * @param completions the places for the submission's completion, or null
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
   * Gives the place up: the submission is not taken any more, and told nothing. From then on the
   * submission has a place for its completion, if the submission wanted a place.
   *
   * @return false if the submission did not wait any more
   */
  public boolean leave() {
    return submission != null && line.leave(this);
  }

  @Nullable Submission submission() {
    return submission;
  }

  /** Empties the place and returns the submission that waited. */
  Submission vacate() {
    Submission waited = submission;
    if (waited == null) {
      throw new IllegalStateException("no submission waits in this place any more");
    }
    submission = null;
    return waited;
  }
}
