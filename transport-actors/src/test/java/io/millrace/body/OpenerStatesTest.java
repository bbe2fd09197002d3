package io.millrace.body;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.Records;
import io.millrace.ends.Submission;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A body at its receiver: the edges of the receiver's table in the document of states, in a real
 * opener.
 */
final class OpenerStatesTest implements BodyListener, BodyTarget {
  /** The state of the body, by the document's name. */
  enum Standing {
    WAITING,
    ASKED,
    OPENING,
    DONE,
    FAILED
  }

  /** The inputs to a body. */
  enum Input {
    /** The sender offers a fill; the serving application gives a target later. */
    OFFER,
    /** The sender offers a fill; the serving application gives a target at once. */
    OFFER_TAKEN,
    ACCEPT,
    LAST_BYTE,
    FAIL,
    /** The executor refuses from now on, and was wanted. */
    REFUSE,
    TARGET_WANTS_NO_MORE
  }

  private final List<Submission> givenBack = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private final AeadProvider aead = AeadProviders.discover().select(Records.RECORD_BYTES);
  private final BodyOpener opener =
      TestBodies.opener(
          TestBodies.services(aead, this::execute),
          this,
          givenBack::add,
          new BodyTerms(
              1,
              false,
              1,
              BodyTerms.PATTERN_BULK,
              0,
              0,
              0,
              0,
              BodyTerms.UNKNOWN,
              Protection.SEALED));
  private boolean isTargetGivenAtOnce;
  private boolean isReady;
  private boolean isCancelled;
  private boolean isCompletable = true;
  private Runnable resume = () -> {};
  private boolean isRefusing;
  private boolean isThrowing;
  private int offered;

  @ParameterizedTest
  @CsvSource({
    "WAITING, OFFER,                ASKED,   headers",
    "WAITING, OFFER_TAKEN,          OPENING, headers start",
    "WAITING, FAIL,                 FAILED,  failed",
    "WAITING, REFUSE,               FAILED,  failed",
    "ASKED,   OFFER,                ASKED,   ''",
    "ASKED,   ACCEPT,               OPENING, start",
    "ASKED,   FAIL,                 FAILED,  failed",
    "ASKED,   REFUSE,               FAILED,  failed",
    "OPENING, OFFER,                OPENING, ''",
    "OPENING, LAST_BYTE,            DONE,    complete delivered",
    "OPENING, FAIL,                 FAILED,  abort failed",
    "OPENING, REFUSE,               FAILED,  abort failed",
    "OPENING, TARGET_WANTS_NO_MORE, FAILED,  abort failed",
    "DONE,    OFFER,                DONE,    ''",
    "DONE,    FAIL,                 DONE,    ''",
    "DONE,    REFUSE,               DONE,    ''",
    "DONE,    TARGET_WANTS_NO_MORE, DONE,    ''",
    "FAILED,  OFFER,                FAILED,  ''",
    "FAILED,  ACCEPT,               FAILED,  abort",
    "FAILED,  FAIL,                 FAILED,  ''",
    "FAILED,  REFUSE,               FAILED,  ''",
  })
  void shouldMoveAsTheDocumentSays(Standing from, Input input, Standing to, String words) {
    bring(from);
    assertEquals(from, standing());
    final int before = told.size();
    apply(input);
    assertEquals(to, standing());
    assertEquals(words, String.join(" ", told.subList(before, told.size())));
    boolean isOver = to == Standing.DONE || to == Standing.FAILED;
    assertEquals(isOver ? offered : 0, givenBack.size(), "fills go back when it is over");
  }

  @Test
  void shouldNotAbortATargetThatFailedToComplete() {
    bring(Standing.OPENING);
    isCompletable = false;
    apply(Input.LAST_BYTE);
    assertEquals(List.of("headers", "start", "complete", "failed"), told);
    opener.fail(CallOutcome.PEER_RESET, "and the path has ended");
    assertEquals(4, told.size());
  }

  /** After the refusal no turn is left in which a target could learn of its lateness. */
  @ParameterizedTest
  @EnumSource(
      value = Standing.class,
      names = {"WAITING", "ASKED"})
  void shouldAbortATargetNamedSinceTheExecutorRefused(Standing from) {
    bring(from);
    apply(Input.REFUSE);
    final int before = told.size();
    apply(Input.ACCEPT);
    assertEquals(List.of("abort"), told.subList(before, told.size()));
    apply(Input.REFUSE);
    assertEquals(before + 1, told.size());
  }

  @Test
  void shouldAbortALateTargetThatThrowsBeforeAnythingElse() {
    bring(Standing.FAILED);
    isThrowing = true;
    apply(Input.ACCEPT);
    assertEquals(List.of("failed", "abort"), told);
  }

  private void execute(Runnable task) {
    if (isRefusing) {
      throw new RejectedExecutionException("planted");
    }
    task.run();
  }

  private void bring(Standing to) {
    switch (to) {
      case WAITING -> {}
      case ASKED -> apply(Input.OFFER);
      case OPENING -> apply(Input.OFFER_TAKEN);
      case DONE -> {
        apply(Input.OFFER_TAKEN);
        apply(Input.LAST_BYTE);
      }
      case FAILED -> apply(Input.FAIL);
    }
  }

  private void apply(Input input) {
    switch (input) {
      case OFFER -> offer();
      case OFFER_TAKEN -> {
        isTargetGivenAtOnce = true;
        offer();
      }
      case ACCEPT -> opener.accept(this);
      case LAST_BYTE -> {
        isReady = true;
        resume.run();
      }
      case FAIL -> opener.fail(CallOutcome.PEER_RESET, "given up");
      case REFUSE -> {
        isRefusing = true;
        opener.relinquish();
      }
      case TARGET_WANTS_NO_MORE -> {
        isCancelled = true;
        resume.run();
      }
    }
  }

  /**
   * The end of a body without bytes; a repeated end is the input that comes too late or too early.
   */
  private void offer() {
    InboundFill fill = new InboundFill();
    fill.start(new Ignoring(), -1, null, 0, 0);
    fill.describe(0, 1, true);
    fill.assign(opener);
    offered++;
    opener.offer(fill);
  }

  private Standing standing() {
    if (told.contains("delivered")) {
      return Standing.DONE;
    }
    if (told.contains("failed")) {
      return Standing.FAILED;
    }
    if (told.contains("start")) {
      return Standing.OPENING;
    }
    return told.contains("headers") ? Standing.ASKED : Standing.WAITING;
  }

  @Override
  public @Nullable BodyTarget onHeaders(BodyOpener of, byte[] headers, long payloadBytes) {
    told.add("headers");
    return isTargetGivenAtOnce ? this : null;
  }

  @Override
  public void onDelivered(long payloadBytes) {
    told.add("delivered");
  }

  @Override
  public void onFailed(CallOutcome outcome, String text) {
    told.add("failed");
  }

  @Override
  public boolean waitsForDevice() {
    if (isThrowing) {
      throw new IllegalStateException("planted");
    }
    return false;
  }

  @Override
  public void start(Runnable whenReady) {
    resume = whenReady;
    told.add("start");
  }

  @Override
  public boolean isReady() {
    return isReady;
  }

  @Override
  public boolean isCancelled() {
    return isCancelled;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    told.add("write");
  }

  @Override
  public void complete() throws IOException {
    told.add("complete");
    if (!isCompletable) {
      throw new IOException("no room");
    }
  }

  @Override
  public void abort(Throwable cause) {
    told.add("abort");
  }

  /** A receiver that ignores the fate of the fills. */
  private static final class Ignoring implements InboundFill.Receiver {
    @Override
    public void onConsumed(InboundFill fill, long nowNs) {}

    @Override
    public void onWithdrawn(InboundFill fill, long nowNs) {}

    @Override
    public void onReturned(InboundFill fill) {}

    @Override
    public void onFault(Throwable fault) {
      throw new AssertionError(fault);
    }

    @Override
    public void onRecordBad(InboundFill fill, int record, long nowNs) {}
  }
}
