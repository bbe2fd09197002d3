package io.millrace.access.admission;

import io.millrace.access.CallPattern;
import io.millrace.access.PeerIdentity;
import io.millrace.access.RouteUse;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The routes that the peer of a path may call, as the node's policy has decided; rules.
 * The policy is asked once for each route and pattern, and again when the path gets a new secret or
 * the policy has changed. On the worker's thread, except {@link #caller}; asks and allocates for
 * the first call of a route only.
 */
public final class PathAccess {
  /**
   * Routes with kept decisions; the policy of a node with more routes is asked again now and then.
   */
  private static final int MOST_ROUTES = 4_096;

  private static final String ALLOWED = "";

  /** In the order of the protocol's numbers, as far as these go. */
  private static final CallPattern[] PATTERNS = CallPattern.values();

  private final NodeAccess node;
  private final Long2ObjectHashMap<@Nullable String[]> decided = new Long2ObjectHashMap<>();
  private int reviews;
  private volatile Caller caller;

  /** Nothing is decided yet. */
  public PathAccess(NodeAccess node, String peer, PeerIdentity identity) {
    this.node = node;
    caller = new Caller(peer, identity);
    reviews = node.reviews();
  }

  /** The peer; any thread. */
  public Caller caller() {
    return caller;
  }

  /**
   * A handshake for this path has proved the peer's present identity: everything is decided anew.
   */
  public void onIdentity(PeerIdentity identity) {
    caller = new Caller(caller.peer(), identity);
    decided.clear();
  }

  /**
   * Why the peer may not use a route so; null for a permitted use or an unserved route. Called once
   * for each transfer that begins: a denial is counted and told.
   */
  public @Nullable String denial(long routeId, CallPattern pattern) {
    String decision = decision(routeId, pattern);
    if (decision.isEmpty()) {
      return null;
    }
    String route = node.nameOf(routeId);
    node.onDenied(caller.identity(), new RouteUse(route == null ? "" : route, pattern), decision);
    return decision;
  }

  /** {@link #denial} of a stream of this pattern of the protocol, 1 to 3. */
  public @Nullable String streamDenial(long routeId, int pattern) {
    return denial(routeId, patternOf(pattern));
  }

  /** The pattern of a stream, by the number of the protocol, 1 to 3. */
  public static CallPattern patternOf(int pattern) {
    return PATTERNS[pattern];
  }

  /** Whether {@link #denial} would deny; the question is not counted. */
  public boolean isDenied(long routeId, CallPattern pattern) {
    return !decision(routeId, pattern).isEmpty();
  }

  /** {@link #isDenied} of a stream of this pattern of the protocol, 1 to 3. */
  public boolean isStreamDenied(long routeId, int pattern) {
    return isDenied(routeId, patternOf(pattern));
  }

  /** Why not, or an empty text. */
  private String decision(long routeId, CallPattern pattern) {
    if (!node.isRestricted()) {
      return ALLOWED;
    }
    int newest = node.reviews();
    if (newest != reviews) {
      reviews = newest;
      decided.clear();
    }
    @Nullable String[] known = decided.get(routeId);
    String decision = known == null ? null : known[pattern.ordinal()];
    return decision == null ? decide(routeId, pattern) : decision;
  }

  private String decide(long routeId, CallPattern pattern) {
    String route = node.nameOf(routeId);
    if (route == null) {
      return ALLOWED;
    }
    String reason = node.denial(caller.identity(), new RouteUse(route, pattern));
    String decision = reason == null ? ALLOWED : reason.isEmpty() ? "not authorised" : reason;
    if (decided.size() >= MOST_ROUTES) {
      decided.clear();
    }
    decided
            .computeIfAbsent(routeId, _ -> new @Nullable String[PATTERNS.length])[
            pattern.ordinal()] =
        decision;
    return decision;
  }
}
