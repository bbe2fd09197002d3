package io.millrace.access.admission;

import io.millrace.access.AccessDecision;
import io.millrace.access.AccessPolicy;
import io.millrace.access.PeerIdentity;
import io.millrace.access.RouteUse;
import io.millrace.event.TransportEvents;
import io.millrace.wire.PeerText;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Asks a node's policy, and tells of denials. A policy that throws, or answers null, denies (rule
 * Any thread; each path keeps the answers in its {@link PathAccess}.
 */
public final class NodeAccess {
  private static final String NO_DECISION = "the policy of this node could not decide";

  private final AccessPolicy policy;
  private final RouteNames routes;
  private final TransportEvents events;
  private final HostCounts denials = new HostCounts();
  private final AtomicInteger review = new AtomicInteger();

  /**
   * Creates the access of a node.
   *
   * @param routes the routes that the node serves
   * @param events told of denied calls, and of a policy that throws
   */
  public NodeAccess(AccessPolicy policy, RouteNames routes, TransportEvents events) {
    this.policy = policy;
    this.routes = routes;
    this.events = events;
  }

  /** A node that allows everything. */
  public static NodeAccess open() {
    return new NodeAccess(AccessPolicy.ALL, _ -> null, TransportEvents.NONE);
  }

  /** Whether anything may be denied. */
  @SuppressWarnings("ReferenceEquality") // another policy that allows everything has to be asked
  boolean isRestricted() {
    return policy != AccessPolicy.ALL;
  }

  /** Invalidates earlier decisions: the policy has changed. */
  public void review() {
    review.incrementAndGet();
  }

  /** The number of changes of the policy. */
  int reviews() {
    return review.getAcquire();
  }

  /** The name of a route, or null for an unserved route. */
  @Nullable String nameOf(long routeId) {
    return routes.nameOf(routeId);
  }

  /** Why a peer may not connect; null for a permitted peer. */
  public @Nullable String denial(PeerIdentity peer) {
    if (!isRestricted()) {
      return null;
    }
    try {
      return reason(policy.connect(peer));
    } catch (RuntimeException | Error e) {
      events.onAccessPolicyFault(peer.toString(), e);
      return NO_DECISION;
    }
  }

  /** Why a peer may not use a route so; null for a permitted use. */
  @Nullable String denial(PeerIdentity peer, RouteUse use) {
    String refused = denial(peer);
    if (refused != null) {
      return refused;
    }
    try {
      return reason(policy.call(peer, use));
    } catch (RuntimeException | Error e) {
      events.onAccessPolicyFault(peer.toString(), e);
      return NO_DECISION;
    }
  }

  private static @Nullable String reason(@Nullable AccessDecision decision) {
    if (decision == null) {
      return NO_DECISION;
    }
    return decision.isAllowed() ? null : PeerText.of(decision.reason());
  }

  /** A transfer of a peer was denied. */
  void onDenied(PeerIdentity peer, RouteUse use, String reason) {
    long count = denials.add(peer.address());
    if (HostCounts.isTold(count)) {
      events.onAccessDenied(peer.toString(), use.route(), use.pattern().text(), reason, count);
    }
  }

  /** Transfers denied so far. */
  public long denied() {
    return denials.total();
  }
}
