package io.millrace.body;

import io.millrace.access.admission.Caller;
import io.millrace.ends.FailureText;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A bulk write begun by a peer; the acceptor chooses the target. Called on the executor. */
public abstract class OfferedBody implements BodyListener {
  private final BodyAcceptor acceptor;
  private final Caller caller;
  private final int priority;

  /** Written ahead of {@link BodyOpener#accept}, read behind the call. */
  private @Nullable BodyTarget target;

  /** A bulk write of {@code caller}. */
  protected OfferedBody(BodyAcceptor acceptor, Caller caller, int priority) {
    this.acceptor = acceptor;
    this.caller = caller;
    this.priority = priority;
  }

  @Override
  public final @Nullable BodyTarget onHeaders(
      BodyOpener opener, byte[] headers, long payloadBytes) {
    acceptor.ask(
        caller,
        priority,
        headers,
        payloadBytes,
        named -> {
          target = named;
          opener.accept(named);
        },
        opener::fail);
    return null;
  }

  @Override
  public final void onDelivered(long payloadBytes) {
    BodyTarget stored = Objects.requireNonNull(target, "target");
    byte[] headers;
    try {
      headers =
          Objects.requireNonNull(stored.receiptHeaders(), "the receipt's headers are null")
              .encode();
    } catch (RuntimeException e) {
      onFailed(CallOutcome.TARGET_FAILED, FailureText.of(e));
      return;
    } catch (Error e) {
      onFailed(CallOutcome.TARGET_FAILED, FailureText.of(e));
      throw e;
    }
    onStored(payloadBytes, headers);
  }

  /** The target has all bytes and has completed; the writer gets these headers as the answer. */
  protected abstract void onStored(long payloadBytes, byte[] headers);
}
