package io.millrace.samples.store;

import com.typesafe.config.ConfigFactory;
import io.millrace.api.Transport;
import io.millrace.samples.process.ClusterAddresses;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.ClusterSingleton;
import org.apache.pekko.cluster.typed.SingletonActor;

/**
 * A member of a Pekko Cluster; one member is the coordinator at a time. When the coordinator leaves
 * or dies, the next member opens the database and serves. Three members survive the loss of one
 * member. If a partition of the network makes two coordinators for a while, the database still
 * keeps each limit.
 */
public final class ClusteredCoordinator implements AutoCloseable {
  private static final String SYSTEM = "store";
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LAST_RETRY = Duration.ofSeconds(10);
  private static final double RETRY_SPREAD = 0.2;
  private static final long LEAVE_SECONDS = 30;

  private final ActorSystem<Void> system;

  /** The cluster wants the coordinator elsewhere. */
  private enum Leave {
    NOW
  }

  private ClusteredCoordinator(ActorSystem<Void> system) {
    this.system = system;
  }

  /**
   * Joins the cluster, and serves the coordinator's routes on this node while this member is the
   * coordinator.
   *
   * @param self the index of this member's address
   * @param addresses the addresses of all members in the cluster, host:port, different from their
   *     Millrace addresses, in the same order at each member. The first member founds the cluster
   *     if no other member has a cluster
   * @throws RuntimeException if the own address cannot be bound
   */
  public static ClusteredCoordinator join(
      int self,
      List<String> addresses,
      Transport transport,
      CoordinatorSettings settings,
      InstantSource clock) {
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            SYSTEM,
            ConfigFactory.parseMap(
                    ClusterAddresses.settings(SYSTEM, self, addresses), "coordinators of the store")
                .withFallback(ConfigFactory.load("store-cluster")));
    try {
      ClusterSingleton.get(system)
          .init(
              SingletonActor.of(serving(transport, settings, clock), "store-coordinator")
                  .withStopMessage(Leave.NOW)
                  .withProps(DispatcherSelector.blocking()));
      return new ClusteredCoordinator(system);
    } catch (RuntimeException | Error e) {
      system.terminate();
      throw e;
    }
  }

  /** Tries again with growing pauses while the database cannot be opened. */
  private static Behavior<Leave> serving(
      Transport transport, CoordinatorSettings settings, InstantSource clock) {
    Behavior<Leave> once =
        Behaviors.setup(
            _ -> {
              Coordinator coordinator = Coordinator.serve(transport, settings, clock);
              return Behaviors.receive(Leave.class)
                  .onMessage(Leave.class, _ -> Behaviors.stopped())
                  .onSignal(
                      PostStop.class,
                      _ -> {
                        coordinator.close();
                        return Behaviors.same();
                      })
                  .build();
            });
    return Behaviors.supervise(once)
        .onFailure(
            Exception.class,
            SupervisorStrategy.restartWithBackoff(FIRST_RETRY, LAST_RETRY, RETRY_SPREAD));
  }

  /** Returns whether the others know this member, so that this member can take over. */
  boolean isUp() {
    return Cluster.get(system).selfMember().status().equals(MemberStatus.up());
  }

  /** Done when this member has left, also if the cluster removed it. */
  public CompletableFuture<?> left() {
    return system.getWhenTerminated().toCompletableFuture();
  }

  /** Leaves the cluster: after the coordinator has left, another member becomes the coordinator. */
  @Override
  public void close() {
    system.terminate();
    left().copy().orTimeout(LEAVE_SECONDS, TimeUnit.SECONDS).join();
  }
}
