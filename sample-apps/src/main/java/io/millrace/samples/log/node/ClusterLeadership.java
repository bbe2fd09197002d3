package io.millrace.samples.log.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.samples.process.ClusterAddresses;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberUp;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Subscribe;

/**
 * Who should lead, as Pekko Cluster says: the oldest replica among its members. The cluster's
 * failure detector finds the dead, and its split brain resolver keeps the side with the majority.
 * If two sides name a leader each for a while, ballots keep the log safe. A member says by its role
 * which replica it is.
 */
public final class ClusterLeadership implements AutoCloseable {
  private static final String ROLE = "log-replica-";

  /** What the actor is told. */
  private sealed interface Message {
    /** A member came or went. */
    record Changed(MemberEvent event) implements Message {}

    /** End. */
    record Stop() implements Message {}
  }

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
   * cluster of its own would take the lead from that of the others, over and over.
   *
   * @param replicas how many there are, members or not
   */
  public static ClusterLeadership follow(
      ActorSystem<?> system, int replicas, IntConsumer listener) {
    return new ClusterLeadership(
        system.systemActorOf(
            behavior(replicas, listener), "log-leadership-of-" + replicas, Props.empty()));
  }

  /** The members that are up are kept as the events say: the cluster's own view may lag. */
  private static Behavior<Message> behavior(int replicas, IntConsumer listener) {
    return Behaviors.setup(
        context -> {
          Cluster.get(context.getSystem())
              .subscriptions()
              .tell(
                  Subscribe.create(
                      context.messageAdapter(MemberEvent.class, Message.Changed::new),
                      MemberEvent.class));
          return following(replicas, listener, Set.of(), -1);
        });
  }

  private static Behavior<Message> following(
      int replicas, IntConsumer listener, Set<Member> up, int told) {
    return Behaviors.receive(Message.class)
        .onMessage(
            Message.Changed.class,
            changed -> {
              Set<Member> now = after(up, changed.event());
              int leader = now.size() > replicas / 2 ? oldest(now) : -1;
              if (leader != told) {
                listener.accept(leader);
              }
              return following(replicas, listener, now, leader);
            })
        .onMessage(Message.Stop.class, stop -> Behaviors.stopped())
        .build();
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
