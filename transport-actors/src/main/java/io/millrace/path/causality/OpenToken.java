package io.millrace.path.causality;

import java.util.List;

/** A token ended by hand, not by a transfer. Any thread may use the token. */
public final class OpenToken {
  private final SlotToken token;

  /** Whether the token has ended; used on the worker's thread. */
  private boolean isOver;

  /**
   * A new open token of this group.
   *
   * @throws IllegalStateException if too many transfers wait for slots
   */
  public OpenToken(CausalityGroup group) {
    token = group.newToken();
    String problem = group.bind(List.of(token), () -> group.endIfOver(token));
    if (problem != null) {
      throw new IllegalStateException(problem);
    }
  }

  /** The token for dependents to wait for. */
  public SlotToken token() {
    return token;
  }

  /** The work of the token is on the way. */
  public void send() {
    token.group().post(() -> token.group().onSent(token));
  }

  /** The work of the token has failed with this text; the first end counts. */
  public void fail(String reason) {
    token.failedBecause(reason);
    end(false);
  }

  /** The work of the token has ended; the first end counts. */
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
