package io.millrace.path.peer;

import io.millrace.ends.ExecutorLane;
import io.millrace.path.call.PeerCall;
import io.millrace.path.causality.CausalCall;
import io.millrace.path.causality.Dependencies;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.transfer.CallOutcome;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The application's handle of a peer: the worker serving the peer, and the destination of calls.
 * The worker is chosen at the first question for the worker, and never changes. Any thread; takes
 * no lock after the choice of the worker.
 */
public final class PeerHandle {
  private final String identity;
  private final SharedPeerHealth health;
  private final @Nullable BiFunction<PeerHandle, Dependencies, Place> router;

  /** Written once, by the router's choice. */
  private volatile @Nullable Place place;

  /**
   * The place of a peer.
   *
   * @param port the way to the worker of the peer
   * @param link the peer's place on this worker; the methods of the link are for the worker's
   *     thread
   */
  public record Place(SubmissionPort port, PeerLink link) {}

  /** A peer with a place. */
  public PeerHandle(String identity, SubmissionPort port, PeerLink link) {
    this.identity = identity;
    health = link.health();
    router = null;
    place = new Place(port, link);
  }

  /**
   * A peer without a place so far.
   *
   * @param identity the peer's handshake address, host:port
   * @param health the health of the peer, as known to all workers
   * @param router chooses the place for the first call, with these dependencies, and calls {@link
   *     #place(Place)}; gives every caller the same place
   */
  public PeerHandle(
      String identity,
      SharedPeerHealth health,
      BiFunction<PeerHandle, Dependencies, Place> router) {
    this.identity = identity;
    this.health = health;
    this.router = router;
  }

  /** The peer's handshake address, host:port. */
  public String identity() {
    return identity;
  }

  /** The health of the peer, as known to all workers. */
  public SharedPeerHealth health() {
    return health;
  }

  /** The way to the worker of the peer. */
  public SubmissionPort port() {
    return placed(Dependencies.NONE).port();
  }

  /** The peer's place on its worker; the methods of the link are for the worker's thread. */
  public PeerLink link() {
    return placed(Dependencies.NONE).link();
  }

  /**
   * {@link #link()} for a call with these dependencies: the first call is placed on the worker of
   * its dependencies.
   */
  public PeerLink link(Dependencies dependencies) {
    return placed(dependencies).link();
  }

  /** Whether the worker of the peer stopped by itself: every submission fails. */
  public boolean isStranded() {
    Place present = place;
    return present != null && present.port().isStopped();
  }

  /** Whether a worker was chosen. */
  public boolean isPlaced() {
    return place != null;
  }

  /** The router has chosen; once. */
  public void place(Place chosen) {
    if (place != null) {
      throw new IllegalStateException(this + " has its place");
    }
    place = chosen;
  }

  private Place placed(Dependencies dependencies) {
    Place present = place;
    if (present != null) {
      return present;
    }
    if (router == null) {
      throw new IllegalStateException("no place and no router");
    }
    return router.apply(this, dependencies);
  }

  /**
   * Submits a call made for {@link #link()}; the call waits for room unless the call refuses to
   * wait.
   */
  public void submit(PeerCall call) {
    CausalCall causal = call.causal();
    if (causal == null) {
      port().submit(call);
      return;
    }
    String problem = causal.bind(() -> port().submit(call), late -> refuse(call, late));
    if (problem != null) {
      call.onRefused(CallOutcome.SUBMISSION_FULL, problem);
    }
  }

  /**
   * Submits a call made for {@link #link()}, for which {@code lane} runs the completion. The call
   * waits for a place in the lane as for room, and gives the place back when the completion runs
   * there. A call that waits for other calls gets no place at its submission: the other calls may
   * need the place. A dependent call takes its place in the lane when the last of the other calls
   * lets it go.
   *
   * @return null, or the reason why the call has no room: then the call is told nothing, and has no
   *     place
   */
  public @Nullable String submit(PeerCall call, ExecutorLane lane) {
    CausalCall causal = call.causal();
    return causal == null
        ? port().submit(call, lane)
        : causal.bind(() -> place(call, lane), late -> refuse(call, late));
  }

  private void place(PeerCall call, ExecutorLane lane) {
    String problem = port().submit(call, call.isDependent() ? null : lane);
    if (problem != null) {
      refuse(call, problem);
    }
  }

  private static void refuse(PeerCall call, String problem) {
    if (!call.isDecided()) {
      call.refuseInLine(CallOutcome.SUBMISSION_FULL, problem);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  /** The same code in each run, so that collections of handles have the same order. */
  @Override
  public int hashCode() {
    return identity.hashCode();
  }

  @Override
  public String toString() {
    Place present = place;
    return "PeerHandle["
        + identity
        + (present == null ? "]" : " on worker " + present.port().worker() + "]");
  }
}
