package io.millrace.api.actor;

import io.millrace.api.actor.StreamEnds.Outgoing;

/** Elements to the peer, no more than its demand. On the stream actor's thread. */
final class PushedElements {
  private final Outgoing ends;
  private int allowed = StreamEnds.WINDOW;
  private boolean isEnding;
  private boolean isFailed;
  private boolean isOver;

  PushedElements(Outgoing ends) {
    this.ends = ends;
  }

  Outgoing ends() {
    return ends;
  }

  boolean isOver() {
    return isOver;
  }

  /** Whether the actor has ended this direction. */
  boolean isEnding() {
    return isEnding;
  }

  /** Whether the actor has failed this direction. */
  boolean isFailed() {
    return isFailed;
  }

  /** Counts an element against the demand; false when there is none. */
  boolean take() {
    if (allowed == 0) {
      return false;
    }
    allowed--;
    return true;
  }

  /** The stream took an element. */
  void onTaken() {
    allowed++;
  }

  void complete() {
    if (!isEnding) {
      isEnding = true;
      ends.queue().complete();
    }
  }

  /** After {@link #complete} too, while elements are still to be taken. */
  void fail(String text) {
    if (!isFailed && !isOver) {
      isEnding = true;
      isFailed = true;
      ends.queue().fail(new ActorFailedException(text));
    }
  }

  void onOver() {
    isOver = true;
  }
}
