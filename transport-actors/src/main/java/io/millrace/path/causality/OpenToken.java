package io.millrace.path.causality;

import java.util.List;

/** A token that is ended by hand, not by a transfer. Any thread. */
public final class OpenToken {
  private final SlotToken token;

  /** The worker's. */
  private boolean isOver;

  /**
   * A new one of this group.
   *
   * @throws IllegalStateException if too many wait for slots
   */
  public OpenToken(CausalityGroup group) {
    token = group.newToken();
    String problem = group.bind(List.of(token), () -> group.endIfOver(token));
    if (problem != null) {
      throw new IllegalStateException(problem);
    }
  }

  /** What others wait for. */
  public SlotToken token() {
    return token;
  }

  /** What it stands for is on its way. */
  public void send() {
    token.group().post(() -> token.group().onSent(token));
  }

  /** What it stands for has ended; the first time counts. */
  public void end(boolean isSuccess) {
    token.group().post(() -> endNow(isSuccess));
  }

  private void endNow(boolean isSuccess) {
    if (!isOver) {
      isOver = true;
      token.group().end(token, isSuccess, isSuccess ? 0 : token.id());
    }
  }
}
