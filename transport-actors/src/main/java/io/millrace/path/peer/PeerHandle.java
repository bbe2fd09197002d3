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
 * What the application holds of a peer: which worker serves it and where its calls go. The worker
 * is chosen when that is asked first, and stays. Any thread; takes no lock once the worker is
 * chosen.
 */
public final class PeerHandle {
  private final String identity;
  private final SharedPeerHealth health;
  private final @Nullable BiFunction<PeerHandle, Dependencies, Place> router;

  /** Written once, by the router. */
  private volatile @Nullable Place place;

  /**
   * Where a peer is.
   *
   * @param port the way to its worker
   * @param link the peer's place on that worker; its methods are for the worker's thread
   */
  public record Place(SubmissionPort port, PeerLink link) {}

  /** A peer that has its place. */
  public PeerHandle(String identity, SubmissionPort port, PeerLink link) {
    this.identity = identity;
    health = link.health();
    router = null;
    place = new Place(port, link);
  }

  /**
   * A peer that has no place yet.
   *
   * @param identity the peer's handshake address, host:port
   * @param health what all workers know of it
   * @param router chooses the place for the first call, which has these dependencies, and calls
   *     {@link #place(Place)}; the same for whoever asks
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

  /** What all workers know of it. */
  public SharedPeerHealth health() {
    return health;
  }

  /** The way to its worker. */
  public SubmissionPort port() {
    return placed(Dependencies.NONE).port();
  }

  /** The peer's place on its worker; its methods are for the worker's thread. */
  public PeerLink link() {
    return placed(Dependencies.NONE).link();
  }

  /** {@link #link()} for a call that waits for this: if it is the first, it is put with those. */
  public PeerLink link(Dependencies dependencies) {
    return placed(dependencies).link();
  }

  /** Whether its worker stopped by itself: whatever is submitted fails. */
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

  /** Submits a call made for {@link #link()}; it waits for room unless it does not want to. */
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
   * Submits a call made for {@link #link()} that will be given to {@code lane} when it ends. It
   * waits for a place there as for room, and gives its place back when it runs there. One that
   * waits for others gets none: they may need it. It takes its place when they let it go.
   *
   * @return null, or why there is no room for it: then it is told nothing, and has no place
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

  /** The same in each run, so that what is kept by handles has the same order. */
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
