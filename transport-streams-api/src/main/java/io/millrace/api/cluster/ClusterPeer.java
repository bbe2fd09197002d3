package io.millrace.api.cluster;

import io.millrace.api.Peer;
import java.util.Set;
import org.apache.pekko.cluster.UniqueAddress;

/**
 * A member of the cluster that is up and that this node can call.
 *
 * @param peer calls it; the same object as long as it is this member
 * @param member which member it is, and which life of it
 * @param roles its roles in the cluster
 */
public record ClusterPeer(Peer peer, UniqueAddress member, Set<String> roles) {
  /** Copies the roles. */
  public ClusterPeer {
    roles = Set.copyOf(roles);
  }

  /** Whether it has this role. */
  public boolean hasRole(String role) {
    return roles.contains(role);
  }
}
