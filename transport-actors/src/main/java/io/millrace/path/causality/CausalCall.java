package io.millrace.path.causality;

import io.millrace.protocol.causality.SentNumbers;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.CausalPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for other transfers, or that others may wait for; rules D-3 to D-6. On its
 * worker's thread.
 */
public final class CausalCall extends CausalNode {
  private static final byte[] NO_BYTES = {};

  /** The call itself. On the worker's thread. */
  public interface Carrier {
    /** What goes to the same peer by the same way has the same lane. */
    Object lane();

    /** Whether its request never fits a frame. */
    boolean isBody();

    /** Whether a path has taken it. */
    boolean isStarted();

    /** It waits for a slot: from here on its deadline runs. */
    void onLined(long nowNs);

    /** Nothing holds it back any more. */
    void onReady();

    /** It ends without having run, or though it runs. */
    void onDependencyFailed(CallOutcome outcome, String text);

    /** Its headers as they are. */
    byte[] requestHeaders();

    /** Its headers with this in front, or alone if it is empty. */
    void prefix(byte[] prefix, byte[] own);
  }

  private final Carrier call;
  private final byte[] ownHeaders;
  private final List<CausalJoin> joins;
  private final List<SlotToken> others;
  private @Nullable SentNumbers numbers;
  private long number;
  private byte[] prefix = NO_BYTES;

  /** Numbers that it names and keeps, until its slot is freed. */
  private long[] named = {};

  private boolean[] cascades = {};
  private @Nullable Runnable onClear;
  private volatile boolean isInLine;

  /** Whether its worker knows that it waits for a slot. */
  private volatile boolean isLined;

  private volatile boolean wasSent;
  private volatile boolean isToldUnrun;
  private boolean isFailedThere;

  /** What makes this of {@code call}, which has not been submitted. */
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
   * Runs {@code submit} when there are slots, at once or on the worker's thread; any thread.
   *
   * @param late is told in place of {@code submit}, if it turns out later that it will not be
   * @return null, or why it will not be
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
      // It was cancelled or has expired while it waited for its slots.
      tokens.forEach(bound -> bound.group().end(bound, false, bound.id()));
    } else {
      joins.forEach(CausalNode::beginSoon);
      submit.run();
    }
  }

  /** It waits for a slot. On its worker's thread; returns whether it still does. */
  boolean onLined(long nowNs) {
    call.onLined(nowNs);
    isLined = isInLine();
    return isLined;
  }

  /** On its worker's thread if it was there before, else on any. */
  private void leaveLine() {
    if (isLined) {
      isLined = false;
      token().group().leaveLine(this);
    }
  }

  /** Its worker ends while it waits for a slot, there or elsewhere. On the worker's thread. */
  void onWorkerEndedInLine(CallOutcome outcome, String text) {
    if (isInLine()) {
      call.onDependencyFailed(outcome, text);
    }
  }

  /** Whether it waits for others; if not, others may only wait for it. */
  public boolean isDependent() {
    return edges().length > 0;
  }

  /** Whether it waits for a slot, and was not submitted. */
  public boolean isInLine() {
    return isInLine && !isOver();
  }

  /** Whether its handler may have run: it was sent, and the peer has not said that it did not. */
  public boolean mayHaveRun() {
    return wasSent && !isToldUnrun;
  }

  /** The text of its failure, if it was its peer that told of that; else empty. */
  public String failure() {
    if (!isToldUnrun) {
      return "";
    }
    return root() == 0 ? "a transfer failed on which this one depends" : textOf(root(), 0);
  }

  /** The peer has answered that it failed there. */
  public void onPeerFailed() {
    isFailedThere = true;
  }

  /** What is held back behind one that failed at the peer is not run there. */
  @Override
  protected void onFailing(CausalEdge edge) {
    isToldUnrun |=
        edge.isForResponse()
            && edge.followed() instanceof CausalCall ahead
            && (ahead.isFailedThere || ahead.isToldUnrun);
  }

  /** The peer says that it did not run, for what made it fail. */
  public void onPeerTold(long failedRoot) {
    isToldUnrun = true;
    root(failedRoot);
  }

  /** Whether what it waits for stands in front of its headers. */
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

  /** The same peer, by the same link, and neither is long: its receiver can hold this one. */
  @Override
  protected boolean mayFollow(CausalNode other) {
    return other instanceof CausalCall ahead
        && ahead.call.lane() == call.lane()
        && ahead.number != 0
        && !call.isBody()
        && followingCount() < CausalPrefix.MOST_DEPENDENCIES;
  }

  /** Whether what it follows went by this path; else it waits again. */
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

  /** A path has taken it. */
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

  /** Its request goes as a body, when nothing that it follows is unanswered. */
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

  /** Its body begins. */
  public void onBodyStarted() {
    wasSent = true;
    token().group().onSent(token());
  }

  /** Its frame is encoded next. */
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

  /** Its number at the peer, or 0. */
  public long number() {
    return number;
  }

  /** The peer has done with it. */
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
