package io.millrace.api.cluster;

import io.millrace.api.Peer;
import java.util.Set;
import org.apache.pekko.cluster.UniqueAddress;

/**
 * A member of the cluster in the state up, with an address for calls from this node.
 *
 * @param peer the peer for calls to the member; the same object for the whole life of the member
 * @param member the unique address: the member's address and the life of the member
 * @param roles the member's roles in the cluster
 */
public record ClusterPeer(Peer peer, UniqueAddress member, Set<String> roles) {
  /** Copies the set of roles. */
  public ClusterPeer {
    roles = Set.copyOf(roles);
  }

  /** Whether the member has this role. */
  public boolean hasRole(String role) {
    return roles.contains(role);
  }
}
