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
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.transfer.OutboundCall;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import io.millrace.wire.CausalPrefix;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A call on its way through a worker's submission ring to its peer. Made and submitted by an
 * application thread; owned by the worker from then on. Its caller or its deadline can end it. What
 * may happen to it when is in {@link io.millrace.protocol.transfer.CallPhase}. A pattern tells its
 * terms before it is submitted, and takes the answer; one that is a {@link BodyListener} takes an
 * answer that comes as a body itself, byte by byte.
 */
public abstract class PeerCall extends OutboundCall implements Submission, CausalCall.Carrier {
  private static final Protection[] PROTECTIONS = Protection.values();

  private final CallLink link;
  private @Nullable PathCalls path;
  private @Nullable Timer deadline;
  private long timeoutNs;
  private long waitingSinceNs;
  private boolean isEndTold;
  private long knownNs;
  private @Nullable WaitingPlace place;
  private volatile @Nullable Ending ending;
  private @Nullable OutboundBody request;
  private boolean wentAsBody;
  private @Nullable BodyOpener response;
  private @Nullable RequestBody body;

  /** Ordinal of the protection of the payload: a reference would be four times as long. */
  private byte protection;

  private long expectedResponseBytes;

  /** What it waits for and who waits for it, if it was asked to. */
  private @Nullable CausalCall causal;

  /** How its caller wants it to end. */
  private record Ending(CallOutcome outcome, String text) {}

  /** A call to the peer of {@code link}; see {@link OutboundCall} for the bytes. */
  protected PeerCall(CallLink link, long route, int priority, byte[] headers, byte[] payload) {
    super(route, priority, headers, payload, 0, payload.length);
    this.link = link;
  }

  @Override
  public final long loadBytes() {
    return payload().length;
  }

  /**
   * It fails with {@code EXPIRED} unless it has ended so long after the worker knew of it, when it
   * took it or admitted it to the waiting room; 0 for never. Before it is submitted.
   */
  public final void expireAfter(long timeoutNs) {
    this.timeoutNs = timeoutNs;
    deadline = timeoutNs == 0 ? null : new Timer((timer, firedNs) -> expire(), 0);
  }

  /** Its payload is this, and never goes in a frame. Before it is submitted. */
  protected final void sendBody(RequestBody own) {
    body = own;
  }

  /**
   * How its payload is protected if that goes as a body and was not sealed before, and how many
   * bytes of headers and payload its response has; 0 if that is not known. Before it is submitted.
   */
  protected final void agree(Protection wanted, long responseBytes) {
    protection = (byte) wanted.ordinal();
    expectedResponseBytes = responseBytes;
  }

  /** How much of its time is left, ns; 0 if it has no deadline. On the worker's thread. */
  protected final long timeLeftNs() {
    return timeoutNs == 0 || !isKnown()
        ? timeoutNs
        : Math.max(1, knownNs + timeoutNs - link.turnNs(knownNs));
  }

  /**
   * Ends the call from this side, unless it has ended: it fails so, and its peer is told. Any
   * thread, before or after the call was submitted to {@code port}.
   */
  public final void cancel(WorkerInbox port, CallOutcome outcome, String text) {
    ending = new Ending(outcome, text);
    port.giveBack(new TaskSubmission(priority(), () -> link.cancel(this, outcome, text)));
  }

  /** It waits for others, or others may wait for it. Before it is submitted. */
  public final void dependOn(Dependencies dependencies, CausalityGroup group) {
    causal = dependencies.attach(this, group);
  }

  /** It waited for a slot, in vain: it was never submitted. On the worker's thread. */
  public final void refuseInLine(CallOutcome outcome, String text) {
    decide(outcome);
    onUnplaced(outcome, text);
  }

  /** It ends so, and was never submitted, so that it has no place for its completion. */
  protected void onUnplaced(CallOutcome outcome, String text) {
    onFailure(outcome, text);
  }

  /** Whether it waits for other transfers. */
  public final boolean isDependent() {
    return causal != null && causal.isDependent();
  }

  /** Whether it waits for a slot, and was not submitted. */
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

  /** What it waits for and who waits for it, or null. */
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

  /** What it waited for holds it back no longer; more than once if its path is lost. */
  protected void onReleased() {}

  @Override
  public final void onDependencyFailed(CallOutcome outcome, String text) {
    link.cancel(this, outcome, text);
  }

  /** Leaves those that wait for others, if it does. On the worker's thread. */
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

  @Override
  protected final void onSlotFreed() {
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
  protected final int patternFlags() {
    return causal != null && causal.hasPrefix() ? CausalPrefix.FLAG : 0;
  }

  @Override
  public final void prefix(byte[] prefix, byte[] own) {
    byte[] both = Arrays.copyOf(prefix, prefix.length + own.length);
    System.arraycopy(own, 0, both, prefix.length, own.length);
    headers(both);
  }

  /** The pattern by which its times are told: bulk if its answer goes to a target as it comes. */
  final int measuredPattern() {
    return this instanceof BodyListener ? BodyTerms.PATTERN_BULK : pattern();
  }

  /** The path that it was opened on, or null. */
  public final @Nullable PathCalls path() {
    return path;
  }

  /** Leaves the waiting room, if it waits there. On the worker's thread. */
  public final boolean leaveRoom() {
    WaitingPlace left = place;
    return left != null && left.leave();
  }

  /** It waits for a path, as soon as its worker has it. */
  public final void onWaiting(long nowNs) {
    waitingSinceNs = nowNs;
  }

  /** Since when it waits for a path, or did before it had one, ns. */
  public final long waitingSinceNs() {
    return waitingSinceNs;
  }

  final Protection protection() {
    return PROTECTIONS[protection];
  }

  /** The payload, if it was sealed for several peers. */
  final @Nullable SharedPayload sharedRequest() {
    return body == null ? null : body.shared();
  }

  /** The response came as a body and is whole. On the executor; in place of {@link #onResponse}. */
  protected abstract void onMessage(byte[] headers, byte[] payload);

  @Override
  public final boolean isBody() {
    return body != null;
  }

  final BodySource requestSource() {
    BodySource given = body == null ? null : body.source();
    return given == null ? new ArraySource(payload(), 0, payload().length) : given;
  }

  @Override
  public final byte[] requestHeaders() {
    return headers();
  }

  /** A path has taken it and sends its request, and memory for the response. */
  final void onOpened(PathCalls opened) {
    path = opened;
    opened.expect(expectedResponseBytes);
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
    // One that was refused before its worker knew it is in no wheel, and this may be any thread.
    if (pending != null && isKnown()) {
      link.disarm(pending);
    }
    PathCalls opened = path;
    if (opened != null) {
      opened.expect(-expectedResponseBytes);
    }
  }

  private void expire() {
    String text = "it took longer than " + HoconText.duration(timeoutNs);
    // A call between its slot and its worker is found nowhere: its worker refuses it when it comes.
    if (ending == null) {
      ending = new Ending(CallOutcome.EXPIRED, text);
    }
    link.cancel(this, CallOutcome.EXPIRED, text);
  }

  /** Its request that goes as a body and that the peer has not taken over whole, or null. */
  public final @Nullable OutboundBody request() {
    return request;
  }

  /** Its request goes as this body from now on. */
  final void startRequest(OutboundBody started) {
    request = started;
    wentAsBody = true;
    if (body != null) {
      body.onStarted();
    }
  }

  /** The peer has taken over the request, which was a body. */
  final void onRequestTaken() {
    request = null;
  }

  /** Whether its request went as a body, or began to. */
  public final boolean wentAsBody() {
    return wentAsBody;
  }

  final @Nullable BodyOpener response() {
    return response;
  }

  final void response(BodyOpener opener) {
    response = opener;
  }

  /** The call has ended without an answer; whoever takes its response body is told there. */
  @Override
  protected final void onAborted(CallOutcome outcome, String text) {
    onOutcome(outcome);
    OutboundBody sent = request;
    if (sent != null) {
      sent.finish();
    }
    BodyOpener opener = response;
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

  /** From here on its deadline runs. */
  private void onKnown(long nowNs) {
    boolean isNew = !isKnown();
    know();
    if (isNew) {
      knownNs = nowNs;
      Timer pending = deadline;
      if (pending != null) {
        link.arm(pending, nowNs + timeoutNs);
      }
    }
  }

  /** When its worker knew of it, ns. */
  final long knownNs() {
    return knownNs;
  }

  @Override
  public final void onRefused(CallOutcome outcome, String text) {
    refuse(outcome, text);
  }
}
