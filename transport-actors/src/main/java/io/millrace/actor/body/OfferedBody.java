package io.millrace.actor.body;

import io.millrace.actor.submission.FailureText;
import io.millrace.protocol.transfer.CallOutcome;
import org.jspecify.annotations.Nullable;

/** A bulk write that a peer began: its acceptor says where it goes. Called on the executor. */
public abstract class OfferedBody implements BodyListener {
  private final BodyAcceptor acceptor;
  private final String peer;
  private final int priority;

  /** A bulk write of {@code peer}. */
  protected OfferedBody(BodyAcceptor acceptor, String peer, int priority) {
    this.acceptor = acceptor;
    this.peer = peer;
    this.priority = priority;
  }

  @Override
  public final @Nullable BodyTarget onHeaders(
      BodyOpener opener, byte[] headers, long payloadBytes) {
    try {
      acceptor
          .accept(peer, priority, headers, payloadBytes)
          .whenComplete(
              (target, failure) -> {
                if (target != null) {
                  opener.accept(target);
                } else {
                  opener.fail(CallOutcome.REFUSED, text(failure));
                }
              });
    } catch (Exception e) {
      opener.fail(CallOutcome.REFUSED, text(e));
    } catch (Error e) {
      opener.fail(CallOutcome.REFUSED, text(e));
      throw e;
    }
    return null;
  }

  private static String text(@Nullable Throwable failure) {
    return failure == null ? "the receiver named no place for the bytes" : FailureText.of(failure);
  }
}
