package io.millrace.path.call;

import io.millrace.access.admission.Caller;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.Protection;
import io.millrace.wire.codec.CallStatus;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The right to answer a single use of a {@link DeferredCall}. The first answer counts; all later
 * answers are dropped, however late and from whatever source, for the call's object may serve
 * another caller by then. The answer hears of the end of its handler's work, too. Any thread.
 */
public final class DeferredAnswer implements BiConsumer<@Nullable Object, @Nullable Throwable> {
  private final DeferredCall call;
  private final int use;
  private final Parties parties;

  /** The handler and the identity of the caller, shared by calls of a path one after another. */
  record Parties(@Nullable DeferredHandler handler, String peer) {
    /** The last parties, if the handler is the same; all calls of a path have the same caller. */
    static Parties of(@Nullable Parties last, @Nullable DeferredHandler handler, Caller caller) {
      return last == null || last.handler != handler ? new Parties(handler, caller.peer()) : last;
    }
  }

  DeferredAnswer(DeferredCall call, int use, Parties parties) {
    this.call = call;
    this.use = use;
    this.parties = parties;
  }

  /** Identity of the caller. */
  public String peer() {
    return parties.peer();
  }

  /** Whether the call was not answered yet; another thread may answer the call at any time. */
  public boolean isOpen() {
    return call.isOpen(use);
  }

  /**
   * The handler is told of {@code work}, perhaps twice, if the caller gives the call up or goes;
   * the answer must come all the same. On the executor, before the handler can answer.
   */
  public void awaits(Object work) {
    if (isOpen()) {
      call.awaits(work);
    }
  }

  /** The work of the handler has ended. */
  @Override
  public void accept(@Nullable Object response, @Nullable Throwable failure) {
    DeferredHandler told = parties.handler();
    if (told == null) {
      throw new IllegalStateException("the call was not handed over");
    }
    if (isOpen()) {
      told.onEnd(this, response, failure);
    } else {
      told.onRepeated(this);
    }
  }

  /**
   * Answers the call. The arrays belong to the call afterwards.
   *
   * @return false if the call was answered before: nothing has happened
   */
  public boolean answer(byte[] headers, byte[] payload) {
    return call.answer(use, headers, payload);
  }

  /**
   * Answers with bytes of a source, of any length, under this protection. The source is closed if
   * the call was answered before.
   *
   * @return false if the call was answered before
   */
  public boolean answer(byte[] headers, BodySource source, Protection protection) {
    return call.answer(use, headers, source, protection);
  }

  /**
   * Answers that the handler refuses the call.
   *
   * @return false if the call was answered before: nothing has happened
   */
  public boolean refuse(String text) {
    return fail(CallStatus.REFUSED, text);
  }

  /**
   * Answers with a status other than {@code OK}, and the reason.
   *
   * @return false if the call was answered before: nothing has happened
   */
  public boolean fail(CallStatus status, String text) {
    return call.fail(use, status, text, 0);
  }

  /**
   * Answers with a status other than {@code OK}, and the reason.
   *
   * @param retryAfterMs of a refusal, the time after which another try may go well; 0 if unknown
   * @return false if the call was answered before: nothing has happened
   */
  public boolean fail(CallStatus status, String text, int retryAfterMs) {
    return call.fail(use, status, text, retryAfterMs);
  }
}
