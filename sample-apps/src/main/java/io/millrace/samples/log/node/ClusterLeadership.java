package io.millrace.samples.log.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.samples.process.ClusterAddresses;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
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
import org.apache.pekko.cluster.typed.Leave;
import org.apache.pekko.cluster.typed.Subscribe;

/**
 * Who should lead, as Pekko Cluster says: the oldest replica among its members. The cluster's
 * failure detector finds the dead, and its split brain resolver keeps the side with the majority.
 * If two sides name a leader each for a while, ballots keep the log safe. A member says by its role
 * which replica it is.
 */
public final class ClusterLeadership implements AutoCloseable {
  private static final String ROLE = "log-replica-";

  /** Longer than many replicas on a busy machine take to start. */
  private static final Duration ALONE = Duration.ofSeconds(60);

  /** What the actor is told. */
  private sealed interface Message {
    /** A member came or went. */
    record Changed(MemberEvent event) implements Message {}

    /** The founder has been without most replicas for long. */
    record Alone() implements Message {}

    /** End. */
    record Stop() implements Message {}
  }

  private static final Message.Alone IS_ALONE = new Message.Alone();

  private final ActorRef<Message> actor;

  private ClusterLeadership(ActorRef<Message> actor) {
    this.actor = actor;
  }

  /**
   * What a replica's actor system is to be started with.
   *
   * @param addresses of all replicas in the cluster, host:port, which are not those of Millrace;
   *     replica 0 founds a cluster if none of the others has one
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
   * Tells the number of the replica that should lead, whenever that changes, -1 for none, until it
   * is closed. Nobody leads at first, nor while most replicas are no members: one that founded a
   * cluster of its own would take the lead from that of the others, over and over. Replica 0, the
   * only one that founds a cluster, leaves it if it has been so for 60 s, and its actor system
   * ends: started again, it joins the cluster of the others if they have one.
   *
   * @param replicas how many there are, members or not
   */
  public static ClusterLeadership follow(
      ActorSystem<?> system, int replicas, IntConsumer listener) {
    return follow(system, replicas, ALONE, listener);
  }

  /**
   * As {@link #follow(ActorSystem, int, IntConsumer)}, where replica 0 leaves after {@code alone}.
   */
  public static ClusterLeadership follow(
      ActorSystem<?> system, int replicas, Duration alone, IntConsumer listener) {
    return new ClusterLeadership(
        system.systemActorOf(
            Behaviors.<Message>withTimers(
                timers ->
                    Behaviors.setup(
                        context -> new Following(context, timers, replicas, alone, listener))),
            "log-leadership-of-" + replicas,
            Props.empty()));
  }

  /** The members that are up are kept as the events say: the cluster's own view may lag. */
  private static final class Following extends AbstractBehavior<Message> {
    private final TimerScheduler<Message> timers;
    private final Cluster cluster;
    private final int replicas;
    private final Duration alone;
    private final IntConsumer listener;
    private Set<Member> up = Set.of();
    private int told = -1;

    Following(
        ActorContext<Message> context,
        TimerScheduler<Message> timers,
        int replicas,
        Duration alone,
        IntConsumer listener) {
      super(context);
      this.timers = timers;
      this.replicas = replicas;
      this.alone = alone;
      this.listener = listener;
      cluster = Cluster.get(context.getSystem());
      cluster
          .subscriptions()
          .tell(
              Subscribe.create(
                  context.messageAdapter(MemberEvent.class, Message.Changed::new),
                  MemberEvent.class));
    }

    @Override
    public Receive<Message> createReceive() {
      return newReceiveBuilder()
          .onMessage(Message.Changed.class, changed -> onChanged(changed.event()))
          .onMessage(Message.Alone.class, alone -> onAlone())
          .onMessage(Message.Stop.class, stop -> Behaviors.stopped())
          .build();
    }

    private Behavior<Message> onChanged(MemberEvent event) {
      up = after(up, event);
      boolean haveMost = up.size() > replicas / 2;
      int leader = haveMost ? oldest(up) : -1;
      if (leader != told) {
        told = leader;
        listener.accept(leader);
      }
      if (haveMost) {
        timers.cancel(IS_ALONE);
      } else if (replica(cluster.selfMember()) == 0 && !timers.isTimerActive(IS_ALONE)) {
        timers.startSingleTimer(IS_ALONE, IS_ALONE, alone);
      }
      return this;
    }

    private Behavior<Message> onAlone() {
      cluster.manager().tell(Leave.create(cluster.selfMember().address()));
      return this;
    }
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
