package io.millrace.api.cluster;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.JoinSeedNodes;
import org.apache.pekko.event.Logging;
import org.apache.pekko.event.LoggingAdapter;

/**
 * Asks a discovery for addresses until enough addresses are known, joins the cluster by these
 * addresses, and stops. All nodes with the same addresses sort the addresses in the same order, so
 * the first node may start a cluster.
 */
final class ContactPoints extends AbstractBehavior<ContactPoints.Command> {
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final long LIMIT_SECONDS = 10;

  private final LoggingAdapter log;
  private final TimerScheduler<Command> timers;
  private final Supplier<? extends CompletionStage<? extends Collection<Address>>> discovery;
  private final int least;

  /** The messages of the actor. */
  sealed interface Command {
    /** Asks the discovery now. */
    record Ask() implements Command {}

    /** The answer of the discovery; no addresses if the discovery failed. */
    record OnFound(List<Address> addresses, String failure) implements Command {}
  }

  private ContactPoints(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      Supplier<? extends CompletionStage<? extends Collection<Address>>> discovery,
      int least) {
    super(context);
    log = Logging.getLogger(context.getSystem().classicSystem(), ContactPoints.class);
    this.timers = timers;
    this.discovery = discovery;
    this.least = least;
    context.getSelf().tell(new Command.Ask());
  }

  static Behavior<Command> create(
      Supplier<? extends CompletionStage<? extends Collection<Address>>> discovery, int least) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(timers -> new ContactPoints(context, timers, discovery, least)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Command.Ask.class, _ -> onAsk())
        .onMessage(Command.OnFound.class, this::onFound)
        .build();
  }

  private Behavior<Command> onAsk() {
    getContext()
        .pipeToSelf(
            asked(),
            (found, failure) ->
                failure == null
                    ? new Command.OnFound(found, "")
                    : new Command.OnFound(List.of(), failure.toString()));
    return this;
  }

  private CompletableFuture<List<Address>> asked() {
    try {
      return discovery
          .get()
          .toCompletableFuture()
          .copy()
          .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
          .thenApply(List::copyOf);
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private Behavior<Command> onFound(Command.OnFound found) {
    List<Address> addresses =
        found.addresses().stream().distinct().sorted(Member.addressOrdering()).toList();
    if (addresses.size() < least) {
      log.info("{} of {} contact points are known {}", addresses.size(), least, found.failure());
      timers.startSingleTimer(new Command.Ask(), AGAIN);
      return this;
    }
    Cluster.get(getContext().getSystem()).manager().tell(new JoinSeedNodes(addresses));
    return Behaviors.stopped();
  }
}
