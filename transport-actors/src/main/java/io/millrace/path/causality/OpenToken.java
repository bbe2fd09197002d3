package io.millrace.path.causality;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A token that is ended by hand, not by a transfer. Any thread. */
public final class OpenToken {
  private final SlotToken token;
  private final AtomicBoolean isOver = new AtomicBoolean();

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
    if (isOver.compareAndSet(false, true)) {
      token.group().post(() -> token.group().end(token, isSuccess, isSuccess ? 0 : token.id()));
    }
  }
}
