package io.millrace.path.causality;

import io.millrace.protocol.causality.SentNumbers;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.CausalPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call with dependencies on other transfers, or with dependents; rules D-3 to D-6. On the thread
 * of the call's worker.
 */
public final class CausalCall extends CausalNode {
  private static final byte[] NO_BYTES = {};

  /** The call itself, in the view of causality. On the worker's thread. */
  public interface Carrier {
    /** Calls to the same peer by the same way have the same lane. */
    Object lane();

    /** Whether the request of the call never fits a frame. */
    boolean isBody();

    /** Whether a path has taken the call. */
    boolean isStarted();

    /** The call waits for a slot: from here on the deadline of the call runs. */
    void onLined(long nowNs);

    /** No dependency holds the call back any more. */
    void onReady();

    /** A dependency has failed: the call ends, unexecuted or while running. */
    void onDependencyFailed(CallOutcome outcome, String text);

    /** The headers of the call as given by the caller. */
    byte[] requestHeaders();

    /**
     * Sets the headers of the call: this prefix in front of the call's own headers, or only the
     * call's own headers for an empty prefix.
     */
    void prefix(byte[] prefix, byte[] own);
  }

  private final Carrier call;
  private final byte[] ownHeaders;
  private final List<CausalJoin> joins;
  private final List<SlotToken> others;
  private @Nullable SentNumbers numbers;
  private long number;
  private byte[] prefix = NO_BYTES;

  /** Numbers named and kept by the call, until the call's slot is freed. */
  private long[] named = {};

  private boolean[] cascades = {};
  private @Nullable Runnable onClear;
  private volatile boolean isInLine;

  /** Whether the worker knows that the call waits for a slot. */
  private volatile boolean isLined;

  private volatile boolean wasSent;
  private volatile boolean isToldUnrun;
  private boolean isFailedThere;

  /** Makes the causal part of {@code call}, before the submission of the call. */
  CausalCall(
      Carrier call,
      SlotToken token,
      CausalEdge[] edges,
      List<CausalJoin> joins,
      List<SlotToken> others) {
    super(token, edges);
    this.call = call;
    this.joins = joins;
    this.others = others;
    ownHeaders = call.requestHeaders();
  }

  /**
   * Runs {@code submit} once all tokens have slots, at once or on the worker's thread; any thread.
   *
   * @param late told instead of {@code submit} if a later failure prevents the submission
   * @return null, or the reason why the call will not be submitted
   */
  public @Nullable String bind(Runnable submit, Consumer<String> late) {
    List<SlotToken> tokens = new ArrayList<>();
    tokens.add(token());
    joins.forEach(join -> tokens.add(join.token()));
    isInLine = true;
    String problem =
        token()
            .group()
            .bindAfter(
                others,
                tokens,
                () -> onBound(submit, tokens),
                reason -> {
                  leaveLine();
                  late.accept(reason);
                });
    if (problem != null) {
      isInLine = false;
    } else if (isInLine) {
      token().group().line(this);
    }
    return problem;
  }

  private void onBound(Runnable submit, List<SlotToken> tokens) {
    leaveLine();
    isInLine = false;
    if (isOver()) {
      // The call was cancelled or has expired during the wait for slots.
      tokens.forEach(bound -> bound.group().end(bound, false, bound.id()));
    } else {
      joins.forEach(CausalNode::beginSoon);
      submit.run();
    }
  }

  /**
   * The call waits for a slot. On the thread of the call's worker; returns whether the call still
   * waits.
   */
  boolean onLined(long nowNs) {
    call.onLined(nowNs);
    isLined = isInLine();
    return isLined;
  }

  /** On the worker's thread if the worker knows of the wait, else on any thread. */
  private void leaveLine() {
    if (isLined) {
      isLined = false;
      token().group().leaveLine(this);
    }
  }

  /**
   * The worker of the call ends while the call waits for a slot, of this worker or another. On the
   * worker's thread.
   */
  void onWorkerEndedInLine(CallOutcome outcome, String text) {
    if (isInLine()) {
      call.onDependencyFailed(outcome, text);
    }
  }

  /** Whether the call waits for other transfers; otherwise the call only has dependents. */
  public boolean isDependent() {
    return edges().length > 0;
  }

  /** Whether the call waits for a slot, before its submission. */
  public boolean isInLine() {
    return isInLine && !isOver();
  }

  /**
   * Whether the handler of the call may have run: the call was sent, and the peer has not denied
   * the run.
   */
  public boolean mayHaveRun() {
    return wasSent && !isToldUnrun;
  }

  /** The text of the failure as told by the peer; else empty. */
  public String failure() {
    if (!isToldUnrun) {
      return "";
    }
    return root() == 0 ? "a dependency of this transfer failed" : textOf(root());
  }

  /** The peer has answered with a failure of the call at the peer. */
  public void onPeerFailed() {
    isFailedThere = true;
  }

  /** A call held back behind a failed call at the same peer is not run by the peer. */
  @Override
  protected void onFailing(CausalEdge edge) {
    isToldUnrun |=
        edge.isForResponse()
            && edge.followed() instanceof CausalCall ahead
            && (ahead.isFailedThere || ahead.isToldUnrun);
  }

  /** The peer says that the call did not run, because of this root. */
  public void onPeerTold(long failedRoot) {
    isToldUnrun = true;
    root(failedRoot);
  }

  /** Whether the dependencies of the call stand in front of the headers. */
  public boolean hasPrefix() {
    return prefix.length > 0;
  }

  @Override
  protected void onReleased() {
    call.onReady();
  }

  @Override
  protected void onFailed(CallOutcome outcome, String text) {
    boolean isStarted = call.isStarted();
    call.onDependencyFailed(outcome, text);
    if (isStarted) {
      end(false);
    }
  }

  /**
   * If both calls go to the same peer by the same link, each in a frame, the receiver can hold this
   * call.
   */
  @Override
  protected boolean mayFollow(CausalNode other) {
    return other instanceof CausalCall ahead
        && ahead.call.lane() == call.lane()
        && ahead.number != 0
        && !call.isBody()
        && followingCount() < CausalPrefix.MOST_DEPENDENCIES;
  }

  /** Whether the calls ahead of this call went by this path; otherwise this call waits again. */
  public boolean canGoBy(SentNumbers sent) {
    for (CausalEdge edge : edges()) {
      if (edge.followed() instanceof CausalCall ahead
          && (ahead.numbers != sent || ahead.number == 0)) {
        waitAgain();
        return false;
      }
    }
    return true;
  }

  /** A path has taken the call. */
  public void onOpened(SentNumbers sent) {
    numbers = sent;
    if (call.isBody()) {
      return;
    }
    int count = followingCount();
    named = new long[count];
    cascades = new boolean[count];
    int index = 0;
    for (CausalEdge edge : edges()) {
      if (edge.followed() instanceof CausalCall ahead) {
        sent.hold(ahead.number);
        named[index] = ahead.number;
        cascades[index] = edge.isCascading();
        index++;
      }
    }
    prefix = new byte[CausalPrefix.length(count)];
    new CausalPrefix().start(prefix, count, token().id(), token().originNode(), token().originId());
    call.prefix(prefix, ownHeaders);
  }

  /** The request goes as a body, once all calls ahead of this call are answered. */
  public void asBody(Runnable start) {
    prefix = NO_BYTES;
    call.prefix(prefix, ownHeaders);
    letGoOfNames();
    if (isFollowing()) {
      onClear = start;
    } else {
      start.run();
    }
  }

  @Override
  protected void onClear() {
    Runnable waiting = onClear;
    if (waiting != null) {
      onClear = null;
      waiting.run();
    }
  }

  /** The body of the call begins. */
  public void onBodyStarted() {
    wasSent = true;
    token().group().onSent(token());
  }

  /** The frame of the call is encoded next. */
  public void onFirstSent() {
    SentNumbers sent = numbers;
    if (sent == null || prefix.length == 0) {
      return;
    }
    wasSent = true;
    number = sent.take();
    CausalPrefix stamped = new CausalPrefix().stamp(call.requestHeaders(), number, sent.floor());
    for (int index = 0; index < named.length; index++) {
      stamped.putDependency(index, named[index], cascades[index]);
    }
    token().group().onSent(token());
  }

  /** The number of the call at the peer, or 0. */
  public long number() {
    return number;
  }

  /** The peer is done with the call. */
  public void onSlotFreed() {
    letGoOfNames();
    SentNumbers sent = numbers;
    if (sent != null && number != 0) {
      sent.release(number);
      number = 0;
    }
    onClear = null;
  }

  private void letGoOfNames() {
    SentNumbers sent = numbers;
    if (sent != null) {
      for (long name : named) {
        sent.release(name);
      }
    }
    named = new long[0];
  }
}
