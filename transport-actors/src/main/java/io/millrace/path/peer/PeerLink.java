package io.millrace.path.peer;

import io.millrace.config.PeerHealthSettings;
import io.millrace.path.call.PathCalls;
import io.millrace.path.call.PeerCall;
import io.millrace.path.packet.WorkerEnd;
import io.millrace.path.packet.WorkerTime;
import io.millrace.protocol.health.HealthListener;
import io.millrace.protocol.health.HealthObservation;
import io.millrace.protocol.health.HealthSettings;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.protocol.schedule.Timer;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.PeerHealth;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of this node to one peer. Calls wait here until a path with room is open, and fail here
 * when no path will be. The link outlives paths and restarts of the peer's actor. Used on the
 * worker's thread only; bounded by {@code millrace.limits.waiting-calls}.
 *
 * <pre>
 * IDLE -(first call)-> CONNECTING -(path opened)-> OPEN -(path closed)-> IDLE
 *                      OPEN -(peer suspected)-> SUSPECTED -(peer heard of)-> OPEN
 *                      SUSPECTED -(path closed)-> IDLE
 *                      CONNECTING -(handshake failed)-> IDLE, waiting calls fail
 * SUSPECTED takes no call onto the path; a call that has waited for the opening timeout fails.
 * While the peer's health takes no calls, every new call is refused, with or without a path;
 * without a path the link looks for the peer.
 * A refused call with a limit for its wait waits unsent, until the peer is ready or the limit over.
 * any -(transport drained)-> every new call is refused
 * any -(transport closed, worker stopped)-> CLOSED, every waiting or new call fails
 * </pre>
 */
public final class PeerLink implements PeerSearch.Seeker {
  /** The endpoint of a peer without a path. */
  public static final int NO_ENDPOINT = -1;

  /**
   * The interval between two looks whether the peer is ready, while calls wait for that: a change
   * of the health on another worker tells this link nothing.
   */
  private static final long READY_LOOK_NS = 20_000_000;

  private static final String DRAINED = "this node was drained, and makes no more calls";

  private static final int NO_WORKER = -1;

  private final String identity;
  private final int waitingLimit;
  private final BooleanSupplier drained;
  private final WaitingCalls waiting = new WaitingCalls();
  private final ArrayDeque<Consumer<@Nullable String>> connectListeners = new ArrayDeque<>();
  private final SharedPeerHealth health;
  private final PeerSearch search = new PeerSearch(this);
  private final Timer opening = new Timer((timer, nowNs) -> failOverdue(nowNs), 0);
  private final UnreadyCalls unready;
  private final Timer readyLook = new Timer((timer, nowNs) -> lookWhetherReady(nowNs), 0);

  /**
   * Whether the last look at the health, while calls waited for the peer, saw a health for no
   * calls.
   */
  private boolean isHealthAwaited;

  /** Deadlines of calls that came before this link had a wheel of timers, with their times. */
  private final Map<Timer, Long> unarmed = new LinkedHashMap<>();

  private Runnable connector = () -> {};
  private boolean connecting;
  private @Nullable WorkerEnd closed;
  private boolean suspected;
  private @Nullable PeerPath path;

  /** The endpoint by which packets of the path leave, for any thread to read. */
  private volatile int endpoint = NO_ENDPOINT;

  private @Nullable WorkerTime time;

  /**
   * The calls of one link not taken by a path, in the order of arrival; a cancelled call leaves
   * without a walk. On the worker's thread; allocates one entry for each new call.
   */
  private static final class WaitingCalls {
    private final SequencedSet<PeerCall> calls = new LinkedHashSet<>();

    /** The number of waiting calls. */
    int size() {
      return calls.size();
    }

    boolean isEmpty() {
      return calls.isEmpty();
    }

    /** The call with the longest wait, or null. */
    @Nullable PeerCall first() {
      return calls.isEmpty() ? null : calls.getFirst();
    }

    /** Puts a call with a longer wait ahead of all others. */
    void addFirst(PeerCall call, long nowNs) {
      PeerCall first = first();
      calls.addFirst(call);
      call.onWaiting(first == null ? nowNs : first.waitingSinceNs());
    }

    void add(PeerCall call, long nowNs) {
      if (!calls.add(call)) {
        throw new IllegalStateException("the call waits already");
      }
      call.onWaiting(nowNs);
    }

    /** Takes a call out, wherever the call stands; false for a call that does not wait. */
    boolean remove(PeerCall call) {
      return calls.remove(call);
    }
  }

  /**
   * A link without a path to the peer of this health.
   *
   * @param drained whether this node was drained, asked on the worker's thread: a drained node
   *     takes no more calls, and calls already waiting go on
   */
  public PeerLink(SharedPeerHealth health, CallLimits limits, BooleanSupplier drained) {
    identity = health.peer();
    this.health = health;
    waitingLimit = limits.calls();
    unready = new UnreadyCalls(this, limits.unready());
    this.drained = drained;
  }

  /**
   * A link without a path to the peer with this handshake address, and with a health that nobody
   * watches.
   */
  public PeerLink(String identity, int waitingLimit) {
    this(
        new SharedPeerHealth(identity, HealthSettings.DEFAULT, HealthListener.NONE),
        CallLimits.of(waitingLimit),
        () -> false);
  }

  @Override
  public SharedPeerHealth health() {
    return health;
  }

  /** Somebody watches the peer's health from now on. */
  public void onWatched() {
    if (!health.state().takesCalls()) {
      seek(timeNs());
      search.wake(timeNs());
    }
  }

  /**
   * The peer was given up, perhaps on a path of another worker: a path here asks the peer as well.
   */
  private void seek(long nowNs) {
    PeerPath current = path;
    if (current != null) {
      current.packets().touch();
    } else if (closed == null) {
      search.start(identity.hashCode(), nowNs);
    }
  }

  /** The peer's handshake address. */
  @Override
  public String identity() {
    return identity;
  }

  /** The path taken by calls now, or null. */
  public @Nullable PeerPath path() {
    return path;
  }

  /**
   * The endpoint of this worker by which packets to the peer leave now, or {@link #NO_ENDPOINT}
   * without a path. Any thread may read the endpoint.
   */
  public int endpoint() {
    return endpoint;
  }

  /** A path uses another rail. */
  void onRail(PeerPath moved) {
    if (path == moved) {
      endpoint = moved.endpoint();
    }
  }

  /** Sets the action for a wanted path; the peer's actor. */
  void onConnector(Runnable connector) {
    this.connector = connector;
    if (connecting) {
      connector.run();
    }
  }

  /** Tells {@code listener} null once a path is open, or the reason why no path will be. */
  public void connect(Consumer<@Nullable String> listener) {
    WorkerEnd end = closed;
    if (end != null) {
      listener.accept(end.text());
      return;
    }
    if (path != null) {
      listener.accept(null);
      return;
    }
    connectListeners.add(listener);
    wantPath();
  }

  @Override
  public void onCall(PeerCall call, long nowNs) {
    if (drained.getAsBoolean() && closed == null) {
      call.refuse(CallOutcome.SHUTTING_DOWN, DRAINED);
    } else {
      admit(call, nowNs);
    }
  }

  private void admit(PeerCall call, long nowNs) {
    WorkerEnd end = closed;
    if (end != null) {
      call.refuse(end.outcome(), end.text());
      return;
    }
    PeerHealth state = health.state();
    if (!state.takesCalls()) {
      seek(nowNs);
      search.onWanted(nowNs);
      refuse(call, CallOutcome.PEER_UNREACHABLE, unreachable(state), nowNs);
      return;
    }
    PeerPath current = path;
    if (current != null && !suspected && waiting.isEmpty() && current.tryOpen(call)) {
      return;
    }
    if (waitingCount() >= waitingLimit) {
      call.refuse(
          CallOutcome.SUBMISSION_FULL,
          "more calls wait for " + identity + " than millrace.limits.waiting-calls allows");
      return;
    }
    waiting.add(call, nowNs);
    if (current == null) {
      wantPath();
    } else {
      watchOpening(current);
    }
  }

  private String unreachable(PeerHealth state) {
    return identity + " is " + state + ", and this was not sent to it";
  }

  private long timeNs() {
    WorkerTime present = time;
    return present == null ? 0 : present.wheel().timeNs();
  }

  /** A call taken before a drain goes on. */
  @Override
  public void onReady(PeerCall call) {
    admit(call, timeNs());
  }

  @Override
  public void cancel(PeerCall call, CallOutcome outcome, String text) {
    PathCalls taken = call.path();
    if (taken != null) {
      taken.cancel(call, outcome, text);
    } else if (call.isInLine()) {
      call.refuseInLine(outcome, text);
    } else if (waiting.remove(call)
        || unready.remove(call)
        || call.leaveRoom()
        || call.leaveDependencies()) {
      call.refuse(outcome, text);
      rest();
    }
  }

  /**
   * The peer is not ready for a call of which nothing was sent: the call fails, or waits for the
   * peer if the caller allows a wait.
   *
   * @return whether the call has failed
   */
  boolean refuse(PeerCall call, CallOutcome outcome, String text) {
    return refuse(call, outcome, text, timeNs());
  }

  private boolean refuse(PeerCall call, CallOutcome outcome, String text, long nowNs) {
    // A call in the line must not count against itself.
    waiting.remove(call);
    if (closed == null
        && waitingCount() < waitingLimit
        && unready.hold(call, outcome, text, nowNs)) {
      isHealthAwaited |= !health.state().takesCalls();
      if (!readyLook.isScheduled()) {
        arm(readyLook, nowNs + READY_LOOK_NS);
      }
      return false;
    }
    call.refuse(outcome, text);
    return true;
  }

  /** Lets the calls go that wait for the peer, if the peer is ready, or else keeps looking. */
  private void lookWhetherReady(long nowNs) {
    if (unready.isEmpty()) {
      return;
    }
    PeerPath current = path;
    boolean isHealthy = health.state().takesCalls();
    if (isHealthy && current == null && isHealthAwaited) {
      // Another worker has found the peer.
      wantPath();
    } else if (isHealthy && current != null && !suspected && !current.isClosedToCalls()) {
      releaseUnready(nowNs);
    } else {
      seek(nowNs);
      search.onWanted(nowNs);
    }
    isHealthAwaited = !isHealthy;
    if (!unready.isEmpty() && !readyLook.isScheduled()) {
      arm(readyLook, nowNs + READY_LOOK_NS);
    }
  }

  /** The calls held back go ahead of the calls that came while the others were held back. */
  private void releaseUnready(long nowNs) {
    PeerCall last;
    while ((last = unready.pollLast()) != null) {
      waiting.addFirst(last, nowNs);
    }
    onRoom();
  }

  @Override
  public void onWaitOver(PeerCall call) {
    if (unready.remove(call)) {
      PeerHealth state = health.state();
      if (!state.takesCalls()) {
        unready.onReason(CallOutcome.PEER_UNREACHABLE, unreachable(state));
      }
      call.refuse(unready.outcome(), unready.text(call));
      rest();
    }
  }

  /** Looks no more for a peer that no call waits for, and that was not given up. */
  private void rest() {
    if (unready.isEmpty() && readyLook.isScheduled()) {
      disarm(readyLook);
      if (health.state().takesCalls()) {
        search.stop();
      }
    }
  }

  /** Sets how the link looks for its peer after the peer was given up. */
  void onSearchSettings(PeerHealthSettings.Search settings) {
    search.onSettings(settings);
  }

  /** Times the deadlines of calls; the worker's time. */
  void onTime(WorkerTime time) {
    this.time = time;
    unarmed.forEach(time.wheel()::schedule);
    unarmed.clear();
  }

  @Override
  public long turnNs(long knownNs) {
    WorkerTime present = time;
    return present == null ? knownNs : present.turnNs();
  }

  @Override
  public void arm(Timer deadline, long deadlineNs) {
    WorkerTime present = time;
    if (present == null) {
      unarmed.put(deadline, deadlineNs);
    } else {
      present.wheel().schedule(deadline, deadlineNs);
    }
  }

  @Override
  public void disarm(Timer deadline) {
    WorkerTime present = time;
    if (present == null) {
      unarmed.remove(deadline);
    } else {
      present.wheel().cancel(deadline);
    }
  }

  /** The application gave the peer up; the calls waiting for a handshake were not sent. */
  void onGivenUp() {
    failWaiting(CallOutcome.PEER_UNREACHABLE, unreachable(health.state()));
  }

  /** The peer of a path is given up; the path ends next. */
  void onGivenUp(PeerPath silent, boolean isRestful) {
    if (path == silent && !isRestful) {
      search.onWanted(timeNs());
    }
  }

  /**
   * The peer of a path does not answer: no new call goes to the peer before the peer is heard of.
   */
  void onSuspected(PeerPath silent) {
    if (path == silent) {
      suspected = true;
      watchOpening(silent);
    }
  }

  /** The peer of a path was heard of again. */
  void onTrusted(PeerPath heard) {
    if (path == heard) {
      trust();
      lookWhetherReady(timeNs());
      onRoom();
    }
  }

  private void trust() {
    suspected = false;
    disarm(opening);
  }

  /** Arms the timer for the call with the longest wait, which may have waited long enough. */
  private void watchOpening(PeerPath current) {
    PeerCall first = waiting.first();
    if (suspected && first != null && !opening.isScheduled()) {
      arm(opening, first.waitingSinceNs() + openingTimeoutNs(current));
    }
  }

  private static long openingTimeoutNs(PeerPath current) {
    return current.packets().worker().settings().recovery().silence().openingTimeoutNs();
  }

  /**
   * The caller of a call waiting for a lost peer can go elsewhere: no part of the call was sent.
   */
  private void failOverdue(long nowNs) {
    PeerPath current = path;
    if (current == null || !suspected) {
      return;
    }
    long timeoutNs = openingTimeoutNs(current);
    Throwable thrown = null;
    PeerCall next = waiting.first();
    while (next != null && nowNs - next.waitingSinceNs() >= timeoutNs) {
      waiting.remove(next);
      thrown =
          refuseGuarded(
              next,
              CallOutcome.PEER_UNREACHABLE,
              identity + " does not answer, and this was not sent to it",
              thrown);
      next = waiting.first();
    }
    watchOpening(current);
    rethrow(thrown);
  }

  /** A path was opened: it takes the calls from now on. */
  void onPathOpened(PeerPath opened) {
    connecting = false;
    path = opened;
    endpoint = opened.endpoint();
    search.stop();
    if (health.state() == PeerHealth.FAILED) {
      health.onProbeAnswered(opened.packets().worker().worker(), timeNs());
    }
    trust();
    lookWhetherReady(timeNs());
    onRoom();
    notifyListeners(null);
  }

  /** The path may have room for waiting calls. */
  void onRoom() {
    PeerPath current = path;
    PeerCall next;
    while (current != null
        && !suspected
        && (next = waiting.first()) != null
        && current.tryOpen(next)) {
      waiting.remove(next);
    }
  }

  /** A path ended; waiting calls go on to the next path, which the link asks for if calls wait. */
  void onPathClosed(PeerPath closed) {
    if (path == closed) {
      path = null;
      endpoint = NO_ENDPOINT;
      trust();
      PeerHealth state = health.state();
      if (!state.takesCalls()) {
        search.start(closed.pathId(), timeNs());
      }
      if (state == PeerHealth.FAILED) {
        failWaiting(CallOutcome.PEER_UNREACHABLE, unreachable(state));
      } else if (!waiting.isEmpty()) {
        wantPath();
      }
    }
  }

  /**
   * The handshake failed: all waiting calls fail, unless the peer's own handshake has brought a
   * path.
   */
  void onConnectFailed(CallOutcome outcome, String reason) {
    connecting = false;
    if (path == null) {
      search.onFailed(timeNs());
      unready.onReason(outcome, reason);
      if (health.state() == PeerHealth.PROBING) {
        health.on(NO_WORKER, HealthObservation.GIVEN_UP, timeNs(), reason);
      }
      fail(outcome, reason);
    }
  }

  /** No path will come any more: all waiting calls fail, and every call from now on. */
  public void close(WorkerEnd end) {
    closed = end;
    path = null;
    endpoint = NO_ENDPOINT;
    search.stop();
    trust();
    disarm(readyLook);
    PeerCall unsent;
    while ((unsent = unready.poll()) != null) {
      waiting.add(unsent, timeNs());
    }
    fail(end.outcome(), end.text());
  }

  private void fail(CallOutcome outcome, String reason) {
    try {
      failWaiting(outcome, reason);
    } finally {
      notifyListeners(reason);
    }
  }

  /** A call that throws does not keep the other calls from their end. */
  private void failWaiting(CallOutcome outcome, String reason) {
    Throwable thrown = null;
    int left = waiting.size();
    PeerCall next = waiting.first();
    while (next != null && left > 0) {
      waiting.remove(next);
      left--;
      thrown = refuseGuarded(next, outcome, reason, thrown);
      next = waiting.first();
    }
    rethrow(thrown);
  }

  private static void rethrow(@Nullable Throwable thrown) {
    if (thrown != null) {
      throw new IllegalStateException("a call's completion threw", thrown);
    }
  }

  private @Nullable Throwable refuseGuarded(
      PeerCall call, CallOutcome outcome, String reason, @Nullable Throwable thrown) {
    try {
      refuse(call, outcome, reason);
      return thrown;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  /** The number of waiting calls. */
  public int waitingCount() {
    return waiting.size() + unready.size();
  }

  @Override
  public boolean isConnecting() {
    return connecting;
  }

  @Override
  public void wantPath() {
    if (!connecting) {
      connecting = true;
      connector.run();
    }
  }

  private void notifyListeners(@Nullable String reason) {
    Consumer<@Nullable String> listener;
    while ((listener = connectListeners.pollFirst()) != null) {
      listener.accept(reason);
    }
  }
}
