package io.millrace.loop;

/** The behaviour of a loop's thread between turns. Called on the loop's thread only. */
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
   * @param work the amount of the turn's work; 0 for an idle turn
   */
  void onTurn(int work);
}
