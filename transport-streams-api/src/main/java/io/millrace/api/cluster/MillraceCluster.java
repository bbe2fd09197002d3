package io.millrace.api.cluster;

import io.millrace.api.Transport;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/**
 * The members of a Pekko Cluster as peers of this node. Each member that calls {@link #start}
 * publishes its handshake address to the others; those that are up are peers until they leave. What
 * is under way with a member that the cluster has downed or removed fails at once, see {@link
 * io.millrace.api.Peer#giveUp}. The cluster decides who is gone: configure a downing provider. Any
 * thread.
 */
public final class MillraceCluster implements Extension {
  private static final Id ID = new Id();

  private final ActorSystem<?> system;

  /** Null until it is started. */
  private volatile @Nullable ActorRef<ClusterMembers.Command> members;

  private volatile List<ClusterPeer> current = List.of();

  /** Makes the one of a system. */
  private static final class Id extends ExtensionId<MillraceCluster> {
    @Override
    public MillraceCluster createExtension(ActorSystem<?> system) {
      return new MillraceCluster(system);
    }
  }

  /** Ends the calls of a listener. */
  @FunctionalInterface
  public interface Watch extends AutoCloseable {
    /** The listener hears no more, but for what is on its way to it. Idempotent. */
    @Override
    void close();
  }

  private MillraceCluster(ActorSystem<?> system) {
    this.system = system;
  }

  /** The one of this actor system, whose provider is {@code cluster}. */
  public static MillraceCluster get(ActorSystem<?> system) {
    return ID.apply(system);
  }

  /**
   * Publishes the address of this node, and finds those of others. Once for a system. Whether the
   * system is a member already does not matter.
   *
   * @param transport lives in the same system as a rule, so that it is drained before the member
   *     leaves
   * @return this
   * @throws IllegalStateException if it was started before
   */
  public synchronized MillraceCluster start(Transport transport) {
    if (members != null) {
      throw new IllegalStateException("it was started before");
    }
    members =
        system.systemActorOf(
            ClusterMembers.create(transport, peers -> current = peers),
            "millrace-cluster",
            Props.empty());
    return this;
  }

  /**
   * Joins the cluster by addresses that a discovery finds, in place of seed nodes of the
   * configuration. The lowest of these addresses starts the cluster if nobody answers it, so each
   * node must be told the same ones.
   *
   * @param contactPoints is asked each second until it knows enough, by a thread that it must not
   *     keep; a failure counts as none, and so does an answer that takes more than 10 s. Addresses
   *     are those that nodes have in {@code remote.artery.canonical}
   * @param least how many of them there must be: all that exist when a cluster is new, for fewer
   *     may make two clusters
   * @return this
   * @throws IllegalArgumentException if {@code least} is not positive
   */
  public MillraceCluster joinBy(
      Supplier<? extends CompletionStage<? extends Collection<Address>>> contactPoints, int least) {
    if (least < 1) {
      throw new IllegalArgumentException("a cluster starts from 1 node at least, not " + least);
    }
    var _ =
        system.systemActorOf(
            ContactPoints.create(contactPoints, least), "millrace-contact-points", Props.empty());
    return this;
  }

  /** The members that are up and not this one, by their cluster addresses. */
  public List<ClusterPeer> peers() {
    requireStarted();
    return current;
  }

  /** Those of {@link #peers()} that have this role. */
  public List<ClusterPeer> peers(String role) {
    return peers().stream().filter(peer -> peer.hasRole(role)).toList();
  }

  /**
   * Tells a listener what {@link #peers(String)} is, soon, and then each time that it has changed.
   *
   * @param listener is called by one thread at a time, which it must not keep; what it throws is
   *     logged
   * @throws IllegalStateException if this was not started
   */
  public Watch onChange(String role, Consumer<List<ClusterPeer>> listener) {
    return watch(peer -> peer.hasRole(role), listener);
  }

  /** As {@link #onChange(String, Consumer)}, for members of all roles. */
  public Watch onChange(Consumer<List<ClusterPeer>> listener) {
    return watch(_ -> true, listener);
  }

  /**
   * What {@link #peers(String)} is when the stream begins, and then each time that it has changed.
   * A slow stream skips to the newest. It ends when it is cancelled, or with its materializer.
   *
   * @throws IllegalStateException if this was not started
   */
  public Source<List<ClusterPeer>, NotUsed> changes(String role) {
    requireStarted();
    return Source.<List<ClusterPeer>>queue(1, OverflowStrategy.dropHead())
        .mapMaterializedValue(
            queue -> {
              Watch watch =
                  onChange(
                      role,
                      peers -> {
                        var _ = queue.offer(peers);
                      });
              var _ = queue.watchCompletion().whenComplete((_, _) -> watch.close());
              return NotUsed.getInstance();
            });
  }

  private Watch watch(Predicate<ClusterPeer> wanted, Consumer<List<ClusterPeer>> listener) {
    ActorRef<ClusterMembers.Command> to = requireStarted();
    ClusterMembers.Listener added = new ClusterMembers.Listener(wanted, listener);
    to.tell(new ClusterMembers.Command.Add(added));
    return () -> to.tell(new ClusterMembers.Command.Remove(added));
  }

  private ActorRef<ClusterMembers.Command> requireStarted() {
    ActorRef<ClusterMembers.Command> present = members;
    if (present == null) {
      throw new IllegalStateException("call start(transport) first");
    }
    return present;
  }
}
