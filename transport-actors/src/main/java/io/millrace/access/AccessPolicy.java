package io.millrace.access;

/**
 * Decides which peers may connect to a node and which routes of the node these peers may call. The
 * node asks once for each path, route and pattern and keeps the answer until the path ends, the
 * path gets a new secret, or {@code Transport.reviewAccess} is called; so a call costs no question.
 *
 * <p>A policy answers from memory: threads of the node (the handshake thread, and workers) ask the
 * policy, perhaps several at once, and the policy must not wait. An exception of the policy counts
 * as a denial.
 */
@FunctionalInterface
public interface AccessPolicy {
  /** Every peer that the handshake admits may call every route. */
  AccessPolicy ALL = (peer, use) -> AccessDecision.ALLOWED;

  /**
   * Whether a peer may connect. Asked after the handshake has proved the identity; of a peer that
   * this node called, ahead of the first call that the peer makes here.
   */
  default AccessDecision connect(PeerIdentity peer) {
    return AccessDecision.ALLOWED;
  }

  /** Whether a peer may use a route so; asked of routes that this node serves. */
  AccessDecision call(PeerIdentity peer, RouteUse use);

  /** Both policies must allow; this policy is asked first. */
  default AccessPolicy and(AccessPolicy other) {
    AccessPolicy first = this;
    return new AccessPolicy() {
      @Override
      public AccessDecision connect(PeerIdentity peer) {
        AccessDecision decision = first.connect(peer);
        return decision.isAllowed() ? other.connect(peer) : decision;
      }

      @Override
      public AccessDecision call(PeerIdentity peer, RouteUse use) {
        AccessDecision decision = first.call(peer, use);
        return decision.isAllowed() ? other.call(peer, use) : decision;
      }
    };
  }
}
