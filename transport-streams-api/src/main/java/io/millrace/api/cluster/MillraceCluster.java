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
 * publishes its handshake address to the other members; members in the state up are peers until
 * they leave. Transfers under way with a downed or removed member fail at once, see {@link
 * io.millrace.api.Peer#giveUp}. The cluster decides which members are gone: configure a downing
 * provider. Any thread.
 */
public final class MillraceCluster implements Extension {
  private static final Id ID = new Id();

  private final ActorSystem<?> system;

  /** The actor of the extension; null before the start. */
  private volatile @Nullable ActorRef<ClusterMembers.Command> members;

  private volatile List<ClusterPeer> current = List.of();

  /** Creates the extension of a system. */
  private static final class Id extends ExtensionId<MillraceCluster> {
    @Override
    public MillraceCluster createExtension(ActorSystem<?> system) {
      return new MillraceCluster(system);
    }
  }

  /** A handle that ends the calls of a listener. */
  @FunctionalInterface
  public interface Watch extends AutoCloseable {
    /** Ends the calls of the listener, except for calls already on the way. Idempotent. */
    @Override
    void close();
  }

  private MillraceCluster(ActorSystem<?> system) {
    this.system = system;
  }

  /** Returns the extension of this actor system, which must have the provider {@code cluster}. */
  public static MillraceCluster get(ActorSystem<?> system) {
    return ID.apply(system);
  }

  /**
   * Publishes the address of this node, and finds the addresses of other members. Call once for a
   * system, before or after the system becomes a member.
   *
   * @param transport the transport, as a rule in the same system, so the transport drains before
   *     the member leaves
   * @return this
   * @throws IllegalStateException if the extension was started before
   */
  public synchronized MillraceCluster start(Transport transport) {
    if (members != null) {
      throw new IllegalStateException("the cluster extension was started before");
    }
    members =
        system.systemActorOf(
            ClusterMembers.create(transport, peers -> current = peers),
            "millrace-cluster",
            Props.empty());
    return this;
  }

  /**
   * Joins the cluster by the addresses of a discovery, instead of the configured seed nodes. The
   * node with the lowest address starts the cluster if no other node answers, so each node must get
   * the same addresses.
   *
   * @param contactPoints the discovery, asked each second until it returns enough addresses; it
   *     must not block the calling thread. A failure, or an answer after more than 10 s, counts as
   *     no address. The addresses are the nodes' addresses of {@code remote.artery.canonical}
   * @param least the number of addresses to wait for: all existing nodes for a new cluster, because
   *     fewer may make two clusters
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

  /** Returns the other members in the state up, ordered by cluster address. */
  public List<ClusterPeer> peers() {
    requireStarted();
    return current;
  }

  /** Returns the peers of {@link #peers()} with this role. */
  public List<ClusterPeer> peers(String role) {
    return peers().stream().filter(peer -> peer.hasRole(role)).toList();
  }

  /**
   * Calls a listener with the value of {@link #peers(String)}: soon after this call, and then after
   * each change.
   *
   * @param listener the listener, called by one thread at a time; the listener must not block, and
   *     an exception is logged
   * @throws IllegalStateException if this was not started
   */
  public Watch onChange(String role, Consumer<List<ClusterPeer>> listener) {
    return watch(peer -> peer.hasRole(role), listener);
  }

  /** Calls a listener as {@link #onChange(String, Consumer)}, for members of all roles. */
  public Watch onChange(Consumer<List<ClusterPeer>> listener) {
    return watch(_ -> true, listener);
  }

  /**
   * Streams the value of {@link #peers(String)}: first the value when the stream begins, then the
   * value after each change. A slow stream skips to the newest value. The stream ends when
   * cancelled, or with its materializer.
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
