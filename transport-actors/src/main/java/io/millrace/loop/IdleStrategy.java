package io.millrace.loop;

/** What a loop's thread does between turns. Called on that thread only. */
interface IdleStrategy {
  /** Never gives the core away. */
  IdleStrategy BUSY_SPIN =
      work -> {
        if (work == 0) {
          Thread.onSpinWait();
        }
      };

  /** Called once, before the first turn. */
  default void onStart() {}

  /** Called once, after the last turn. */
  default void onEnd() {}

  /**
   * Called after each turn.
   *
   * @param work what the turn did; 0 means it found nothing
   */
  void onTurn(int work);
}
