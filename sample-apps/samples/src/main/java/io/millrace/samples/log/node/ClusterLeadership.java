package io.millrace.samples.log.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.samples.process.ClusterAddresses;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberUp;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.cluster.typed.Subscribe;

/**
 * Tells which replica should lead: the oldest replica among the members of the Pekko Cluster. The
 * cluster's failure detector finds dead members, and its split brain resolver keeps the side with
 * the majority. If two sides name a leader each for a while, ballots keep the log safe. The role of
 * a member tells the number of its replica.
 *
 * <p>Replicas that lost each other may end in two clusters, each whole in the view of its members.
 * So a replica without a majority of members for a while leaves, on either side, and its actor
 * system ends. After a restart the replica joins the cluster of the others. Replica 0 founds a
 * cluster if no other replica has one. If replica 0 is missing for a while, another replica founds
 * the cluster.
 */
public final class ClusterLeadership implements AutoCloseable {
  private static final String ROLE = "log-replica-";

  /** Receives the changes of leader and members. Called on a thread of the actor system. */
  @FunctionalInterface
  public interface Listener {
    /** This replica should lead now, -1 for no replica. */
    void onLeader(int replica);

    /** These replicas are members now. */
    default void onMembers(SortedSet<Integer> replicas) {}

    /** This replica leaves the cluster; its actor system ends soon. */
    default void onLeaving(String reason) {}
  }

  /**
   * The times that a replica waits.
   *
   * @param alone the time without a majority of members, before a replica leaves. Each higher
   *     number waits a quarter longer, so that several lone replicas do not all leave at once
   * @param founding the time that replica 1 waits for a cluster to join, before founding a cluster;
   *     a replica of number N waits N times as long
   */
  public record Patience(Duration alone, Duration founding) {
    /** Longer than the start of many replicas on a busy machine. */
    public static final Patience USUAL =
        new Patience(Duration.ofSeconds(60), Duration.ofSeconds(20));
  }

  /** A message to the actor. */
  private sealed interface Message {
    /** A member came or went. */
    record Changed(MemberEvent event) implements Message {}

    /** The replica has been without a majority for long. */
    record Alone() implements Message {}

    /** There has been no cluster to join for long. */
    record Found() implements Message {}

    /** The end of the actor. */
    record Stop() implements Message {}
  }

  private static final Message.Alone IS_ALONE = new Message.Alone();
  private static final Message.Found FOUND = new Message.Found();

  private final ActorRef<Message> actor;

  private ClusterLeadership(ActorRef<Message> actor) {
    this.actor = actor;
  }

  /**
   * Returns the settings of a replica's actor system.
   *
   * @param addresses the addresses of all replicas in the cluster, host:port, different from their
   *     Millrace addresses. Replica 0 founds a cluster if the others have none, see {@link #follow}
   */
  public static Config settings(String systemName, int self, List<String> addresses) {
    Map<String, Object> settings = ClusterAddresses.settings(systemName, self, addresses);
    settings.put("pekko.actor.provider", "cluster");
    settings.put("pekko.cluster.roles", List.of(ROLE + self));
    settings.put("pekko.cluster.jmx.enabled", "off");
    settings.put("pekko.cluster.retry-unsuccessful-join-after", "5s");
    settings.put(
        "pekko.cluster.downing-provider-class",
        "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider");
    settings.put("pekko.cluster.split-brain-resolver.active-strategy", "keep-majority");
    settings.put("pekko.cluster.split-brain-resolver.stable-after", "3s");
    settings.put("pekko.cluster.split-brain-resolver.down-all-when-unstable", "off");
    return ConfigFactory.parseMap(settings, "replicas of the log");
  }

  /**
   * Tells the number of the replica that should lead at each change, -1 for no replica, until the
   * end. Nobody leads at first, nor while most replicas are no members. Otherwise a replica with a
   * cluster of its own would take the lead from the others' leader, over and over.
   *
   * @param self the number of the replica in this actor system
   * @param replicas the number of all replicas, members or not
   */
  public static ClusterLeadership follow(
      ActorSystem<?> system, int self, int replicas, Listener listener) {
    return follow(system, self, replicas, Patience.USUAL, listener);
  }

  /** Follows like {@link #follow(ActorSystem, int, int, Listener)}, with other times. */
  public static ClusterLeadership follow(
      ActorSystem<?> system, int self, int replicas, Patience patience, Listener listener) {
    return new ClusterLeadership(
        system.systemActorOf(
            Behaviors.<Message>withTimers(
                timers ->
                    Behaviors.setup(
                        context ->
                            new Following(
                                context, timers, new Place(self, replicas), patience, listener))),
            "log-leadership-of-" + replicas,
            Props.empty()));
  }

  /** The number of a replica, and the number of all replicas. */
  private record Place(int self, int replicas) {
    boolean isMajority(int members) {
      return members > replicas / 2;
    }
  }

  /** Keeps the members that are up from the events: the cluster's own view may lag. */
  private static final class Following extends AbstractBehavior<Message> {
    private final TimerScheduler<Message> timers;
    private final Cluster cluster;
    private final Place place;
    private final Duration alone;
    private final Listener listener;
    private Set<Member> up = Set.of();
    private int told = -1;

    Following(
        ActorContext<Message> context,
        TimerScheduler<Message> timers,
        Place place,
        Patience patience,
        Listener listener) {
      super(context);
      this.timers = timers;
      this.place = place;
      this.listener = listener;
      alone = patience.alone().plus(patience.alone().dividedBy(4).multipliedBy(place.self()));
      cluster = Cluster.get(context.getSystem());
      cluster
          .subscriptions()
          .tell(
              Subscribe.create(
                  context.messageAdapter(MemberEvent.class, Message.Changed::new),
                  MemberEvent.class));
      if (place.self() > 0) {
        timers.startSingleTimer(FOUND, FOUND, patience.founding().multipliedBy(place.self()));
      }
    }

    @Override
    public Receive<Message> createReceive() {
      return newReceiveBuilder()
          .onMessage(Message.Changed.class, changed -> onChanged(changed.event()))
          .onMessage(Message.Alone.class, alone -> onAlone())
          .onMessage(Message.Found.class, found -> onFound())
          .onMessage(Message.Stop.class, stop -> Behaviors.stopped())
          .build();
    }

    private Behavior<Message> onChanged(MemberEvent event) {
      timers.cancel(FOUND);
      Set<Member> before = up;
      up = after(up, event);
      if (!up.equals(before)) {
        listener.onMembers(replicas(up));
      }
      boolean haveMost = place.isMajority(up.size());
      int leader = haveMost ? oldest(up) : -1;
      if (leader != told) {
        told = leader;
        listener.onLeader(leader);
      }
      if (haveMost) {
        timers.cancel(IS_ALONE);
      } else if (!timers.isTimerActive(IS_ALONE)) {
        timers.startSingleTimer(IS_ALONE, IS_ALONE, alone);
      }
      return this;
    }

    /**
     * Leaving without a majority may need the consent of unreachable members, so the whole system
     * ends here.
     */
    private Behavior<Message> onAlone() {
      listener.onLeaving(
          "the replica has been without a majority for %d s: of %d replicas %s are members"
              .formatted(alone.toSeconds(), place.replicas(), replicas(up)));
      getContext().getSystem().terminate();
      return this;
    }

    private Behavior<Message> onFound() {
      cluster.manager().tell(Join.create(cluster.selfMember().address()));
      return this;
    }
  }

  private static SortedSet<Integer> replicas(Set<Member> members) {
    SortedSet<Integer> numbers = new TreeSet<>();
    members.forEach(member -> numbers.add(replica(member)));
    return numbers;
  }

  private static Set<Member> after(Set<Member> up, MemberEvent event) {
    Set<Member> now = new HashSet<>(up);
    now.remove(event.member());
    if (event instanceof MemberUp && replica(event.member()) >= 0) {
      now.add(event.member());
    }
    return now;
  }

  private static int oldest(Set<Member> up) {
    return up.stream().min(Member.ageOrdering()).map(ClusterLeadership::replica).orElse(-1);
  }

  private static int replica(Member member) {
    return member.getRoles().stream()
        .filter(role -> role.startsWith(ROLE))
        .map(role -> Integer.parseInt(role.substring(ROLE.length())))
        .findFirst()
        .orElse(-1);
  }

  @Override
  public void close() {
    actor.tell(new Message.Stop());
  }
}
