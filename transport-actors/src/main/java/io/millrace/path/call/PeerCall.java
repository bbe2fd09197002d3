package io.millrace.path.call;

import io.millrace.body.ArraySource;
import io.millrace.body.BodyListener;
import io.millrace.body.BodyOpener;
import io.millrace.body.BodyTerms;
import io.millrace.body.OutboundBody;
import io.millrace.body.SharedPayload;
import io.millrace.config.HoconText;
import io.millrace.ends.Submission;
import io.millrace.ends.TaskSubmission;
import io.millrace.ends.WaitingPlace;
import io.millrace.ends.WorkerInbox;
import io.millrace.path.causality.CausalCall;
import io.millrace.path.causality.CausalityGroup;
import io.millrace.path.causality.Dependencies;
import io.millrace.protocol.congestion.AnswerSchedule;
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.transfer.CallPhase;
import io.millrace.protocol.transfer.FrameSender;
import io.millrace.protocol.transfer.OutboundCall;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import io.millrace.wire.CausalPrefix;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A call on the way through a worker's submission ring to a peer. Made and submitted by an
 * application thread; owned by the worker from then on. The caller or the deadline can end the
 * call. {@link io.millrace.protocol.transfer.CallPhase} says which events a call allows in each
 * phase. A pattern sets the terms of the call before submission, and takes the answer. A pattern
 * that is a {@link BodyListener} takes an answer body itself, byte by byte.
 */
public abstract class PeerCall extends OutboundCall implements Submission, CausalCall.Carrier {
  private CallLink link;
  private @Nullable PathCalls path;
  private @Nullable Deadline deadline;
  private @Nullable ReadyWait readyWait;
  private long waitingSinceNs;
  private boolean isEndTold;
  private long knownNs;
  private @Nullable WaitingPlace place;
  private volatile @Nullable Ending ending;
  private boolean wentAsBody;

  /** The state of calls with bodies; null for a call whose request and answer fit a frame. */
  private @Nullable CallBodies bodies;

  /**
   * The transfers that this call waits for, and the transfers waiting for this call, if the caller
   * asked for causality.
   */
  private @Nullable CausalCall causal;

  /** The end wanted by the caller. */
  private record Ending(CallOutcome outcome, String text) {}

  /** The deadline of a call; fires on the worker's thread. */
  private static final class Deadline extends Timer {
    private final long timeoutNs;

    private Deadline(PeerCall call, long timeoutNs) {
      super((timer, firedNs) -> call.expire(timeoutNs), 0);
      this.timeoutNs = timeoutNs;
    }
  }

  /** A call to the peer of {@code link}; see {@link OutboundCall} for the bytes. */
  protected PeerCall(CallLink link, long route, int priority, byte[] headers, byte[] payload) {
    super(route, priority, headers, payload);
    this.link = link;
  }

  /**
   * Whether an answered call is known to nobody else, and may be made anew: no timer, queue, body
   * or other call has the call. On the worker's thread.
   */
  protected final boolean isReusable() {
    return phase() == CallPhase.ENDED
        && !isQueued()
        && deadline == null
        && readyWait == null
        && causal == null
        && ending == null
        && place == null
        && bodies == null
        && !wentAsBody;
  }

  /** Makes a reusable call a new call; see {@link OutboundCall#renew}. */
  protected final void renew(
      CallLink link, long route, int priority, byte[] headers, byte[] payload) {
    renew(route, priority, headers, payload);
    this.link = link;
    path = null;
    isEndTold = false;
    knownNs = 0;
    waitingSinceNs = 0;
  }

  /** Keeps nothing of the path and of the caller; for a reusable call. */
  protected final void dropPath() {
    path = null;
    dropBytes();
  }

  /** The handshake address of the peer, host:port. Any thread. */
  public final String peer() {
    return link.identity();
  }

  @Override
  public final long loadBytes() {
    return payload().length;
  }

  /**
   * Lets the call fail with {@code EXPIRED} unless the call ends within this time; 0 for never. The
   * time begins when the worker takes the call or admits the call to the waiting room. To be called
   * before submission.
   */
  public final void expireAfter(long timeoutNs) {
    deadline = timeoutNs == 0 ? null : new Deadline(this, timeoutNs);
  }

  /**
   * Lets the call wait up to this time, unsent, for a peer that is not ready; 0: the call fails at
   * once. To be called before submission.
   */
  public final void waitForReady(long limitNs) {
    readyWait = limitNs == 0 ? null : new ReadyWait((_, _) -> link.onWaitOver(this), limitNs);
  }

  /** The time for which the call waits for a peer that is not ready; null for no time. */
  public final @Nullable ReadyWait readyWait() {
    return readyWait;
  }

  /** Sets the payload of the call, which never goes in a frame. To be called before submission. */
  protected final void sendBody(RequestBody own) {
    needBodies().body = own;
  }

  /**
   * Sets the protection of a payload sent as a body and not sealed before. Also sets the number of
   * bytes of the response's headers and payload; 0 if unknown. To be called before submission.
   */
  protected final void agree(Protection wanted, long responseBytes) {
    if (wanted != Protection.SEALED || responseBytes != 0) {
      CallBodies own = needBodies();
      own.protection = wanted;
      own.expectedResponseBytes = responseBytes;
    }
  }

  /** The time left of the call, ns; 0 without a deadline. On the worker's thread. */
  protected final long timeLeftNs() {
    Deadline own = deadline;
    if (own == null) {
      return 0;
    }
    return isKnown() ? Math.max(1, knownNs + own.timeoutNs - link.turnNs(knownNs)) : own.timeoutNs;
  }

  /**
   * Ends the call from this side, unless the call has ended: the call fails with this outcome, and
   * the peer is told. Any thread, before or after the call was submitted to {@code port}.
   */
  public final void cancel(WorkerInbox port, CallOutcome outcome, String text) {
    ending = new Ending(outcome, text);
    port.giveBack(new TaskSubmission(priority(), () -> link.cancel(this, outcome, text)));
  }

  /**
   * Makes the call wait for other calls, or lets other calls wait for this call. To be called
   * before submission.
   */
  public final void dependOn(Dependencies dependencies, CausalityGroup group) {
    causal = dependencies.attach(this, group);
  }

  /** The call waited for a slot, in vain: the call was never submitted. On the worker's thread. */
  public final void refuseInLine(CallOutcome outcome, String text) {
    decide(outcome);
    onUnplaced(outcome, text);
  }

  /** The call ends with this outcome without submission, so has no place for its completion. */
  protected void onUnplaced(CallOutcome outcome, String text) {
    onFailure(outcome, text);
  }

  /** Whether the call waits for other transfers. */
  public final boolean isDependent() {
    return causal != null && causal.isDependent();
  }

  /** Whether the call waits for a slot, before its submission. */
  public final boolean isInLine() {
    return causal != null && causal.isInLine();
  }

  @Override
  public final void onLined(long nowNs) {
    if (isInLine() && !isDecided()) {
      onKnown(nowNs);
      Ending wanted = ending;
      if (wanted != null) {
        refuseInLine(wanted.outcome(), wanted.text());
      }
    }
  }

  /** The transfers that this call waits for, and the transfers waiting for this call, or null. */
  public final @Nullable CausalCall causal() {
    return causal;
  }

  @Override
  public final Object lane() {
    return link;
  }

  @Override
  public final boolean isStarted() {
    return path != null;
  }

  @Override
  public final void onReady() {
    onReleased();
    link.onReady(this);
  }

  /**
   * The call is held back until its peer is ready, and needs no place for its completion meanwhile.
   */
  public void onHeld() {}

  /**
   * The dependencies of the call, or the wait for a ready peer, hold the call back no longer;
   * called again if the call's path is lost.
   */
  public void onReleased() {}

  @Override
  public final void onDependencyFailed(CallOutcome outcome, String text) {
    link.cancel(this, outcome, text);
  }

  /**
   * Leaves the calls waiting for other transfers; returns whether the call was among them. On the
   * worker's thread.
   */
  public final boolean leaveDependencies() {
    return causal != null && causal.isWaiting();
  }

  @Override
  public final void onOutcome(CallOutcome outcome) {
    PathCalls opened = path;
    if (!isEndTold && opened != null) {
      isEndTold = true;
      opened.onEnded(this, outcome);
    }
    if (causal == null) {
      return;
    }
    if (isKnown()) {
      causal.end(outcome == CallOutcome.OK);
    } else {
      causal.endUnknown();
    }
  }

  /** Keeps the reason of a failure for the calls that depend on this call. */
  final void tellReason(CallOutcome outcome, String text) {
    if (causal != null && outcome != CallOutcome.DEPENDENCY_FAILED) {
      String where = text.contains(peer()) ? "" : " (at " + peer() + ")";
      causal.token().failedBecause(outcome + ": " + text + where);
    }
  }

  @Override
  protected final void onSlotFreed() {
    PathCalls opened = path;
    if (opened != null) {
      opened.promises().release(this);
    }
    if (causal != null) {
      causal.onSlotFreed();
    }
  }

  @Override
  public final void onFirstSent() {
    PathCalls opened = path;
    if (opened != null) {
      opened.onFirstSent(this);
    }
    if (causal != null) {
      causal.onFirstSent();
    }
  }

  @Override
  public final void sendAgain(FrameSender sender) {
    AnswerSchedule.Promise promise = promise();
    if (promise != null) {
      promise.withdraw();
    }
    super.sendAgain(sender);
  }

  @Override
  protected final int patternFlags() {
    return causal != null && causal.hasPrefix() ? CausalPrefix.FLAG : 0;
  }

  @Override
  public final void prefix(byte[] prefix, byte[] own) {
    byte[] both = Arrays.copyOf(prefix, prefix.length + own.length);
    System.arraycopy(own, 0, both, prefix.length, own.length);
    headers(both);
  }

  /**
   * The pattern under which the call's times are told: bulk if the answer goes to a target byte by
   * byte.
   */
  final int measuredPattern() {
    return this instanceof BodyListener ? BodyTerms.PATTERN_BULK : pattern();
  }

  /** The path on which the call was opened, or null. */
  public final @Nullable PathCalls path() {
    return path;
  }

  /**
   * Leaves the waiting room; returns whether the call waited in the room. On the worker's thread.
   */
  public final boolean leaveRoom() {
    WaitingPlace left = place;
    return left != null && left.leave();
  }

  /** The call waits for a path, from the moment that the worker has the call. */
  public final void onWaiting(long nowNs) {
    waitingSinceNs = nowNs;
  }

  /** The time at which the call began to wait for a path, ns. */
  public final long waitingSinceNs() {
    return waitingSinceNs;
  }

  final Protection protection() {
    CallBodies own = bodies;
    return own == null ? Protection.SEALED : own.protection;
  }

  /** The payload, if sealed for several peers. */
  final @Nullable SharedPayload sharedRequest() {
    RequestBody body = body();
    return body == null ? null : body.shared();
  }

  /** The response came as a body and is whole. On the executor; instead of {@link #onResponse}. */
  protected abstract void onMessage(byte[] headers, byte[] payload);

  @Override
  public final boolean isBody() {
    return body() != null;
  }

  final BodySource requestSource() {
    RequestBody body = body();
    BodySource given = body == null ? null : body.source();
    return given == null ? new ArraySource(payload(), 0, payload().length) : given;
  }

  @Override
  public final byte[] requestHeaders() {
    return headers();
  }

  /** A path has taken the call and sends the request, and memory for the response. */
  final void onOpened(PathCalls opened) {
    path = opened;
    CallBodies own = bodies;
    if (own != null) {
      opened.expect(own.expectedResponseBytes);
    }
  }

  @Override
  public final void onUnsendable() {
    PathCalls opened = path;
    if (opened != null) {
      opened.onRequestUnsendable(this);
    }
  }

  @Override
  protected final void onDecided() {
    Timer pending = deadline;
    // A call refused before its worker knew the call is in no wheel, and this may be any thread.
    if (pending != null && isKnown()) {
      link.disarm(pending);
    }
    PathCalls opened = path;
    CallBodies own = bodies;
    if (opened != null && own != null) {
      opened.expect(-own.expectedResponseBytes);
    }
  }

  private void expire(long timeoutNs) {
    String text = "it took longer than " + HoconText.duration(timeoutNs);
    // A call between its slot and its worker cannot be found: the worker refuses the call at the
    // arrival.
    if (ending == null) {
      ending = new Ending(CallOutcome.EXPIRED, text);
    }
    link.cancel(this, CallOutcome.EXPIRED, text);
  }

  /** The request sent as a body and not yet taken over whole by the peer, or null. */
  public final @Nullable OutboundBody request() {
    CallBodies own = bodies;
    return own == null ? null : own.request;
  }

  /** The request goes as this body from now on. */
  final void startRequest(OutboundBody started) {
    CallBodies own = needBodies();
    own.request = started;
    wentAsBody = true;
    RequestBody body = own.body;
    if (body != null) {
      body.onStarted();
    }
  }

  /** The peer has taken over the request, which was a body. */
  final void onRequestTaken() {
    CallBodies own = bodies;
    if (own != null) {
      own.request = null;
    }
  }

  /** Whether the request went as a body, or began to. */
  public final boolean wentAsBody() {
    return wentAsBody;
  }

  final @Nullable BodyOpener response() {
    CallBodies own = bodies;
    return own == null ? null : own.response;
  }

  final void response(BodyOpener opener) {
    needBodies().response = opener;
  }

  private @Nullable RequestBody body() {
    CallBodies own = bodies;
    return own == null ? null : own.body;
  }

  private CallBodies needBodies() {
    CallBodies own = bodies;
    if (own == null) {
      own = new CallBodies();
      bodies = own;
    }
    return own;
  }

  /**
   * The call has ended without an answer; the taker of the response body is told through the body.
   */
  @Override
  protected final void onAborted(CallOutcome outcome, String text) {
    tellReason(outcome, text);
    onOutcome(outcome);
    OutboundBody sent = request();
    if (sent != null) {
      sent.finish();
    }
    BodyOpener opener = response();
    if (opener != null) {
      opener.fail(outcome, text);
    } else {
      onFailure(outcome, text);
    }
  }

  @Override
  public final void onAdmitted(WaitingPlace admitted, long nowNs) {
    Ending wanted = ending;
    if (wanted == null) {
      place = admitted;
      onKnown(nowNs);
    } else if (admitted.leave()) {
      refuse(wanted.outcome(), wanted.text());
    }
  }

  @Override
  public void onTaken(long nowNs) {
    place = null;
    Ending wanted = ending;
    if (wanted != null) {
      refuse(wanted.outcome(), wanted.text());
      return;
    }
    onKnown(nowNs);
    if (causal == null) {
      link.onCall(this, nowNs);
    } else {
      causal.begin();
    }
  }

  /** From here on the deadline of the call runs. */
  private void onKnown(long nowNs) {
    boolean isNew = !isKnown();
    know();
    if (isNew) {
      knownNs = nowNs;
      Deadline pending = deadline;
      if (pending != null) {
        link.arm(pending, nowNs + pending.timeoutNs);
      }
    }
  }

  /** The time at which the worker knew of the call, ns. */
  final long knownNs() {
    return knownNs;
  }

  @Override
  public final void onRefused(CallOutcome outcome, String text) {
    refuse(outcome, text);
  }
}
