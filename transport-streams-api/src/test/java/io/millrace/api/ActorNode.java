package io.millrace.api;

import io.millrace.api.actor.TransportActor;
import io.millrace.api.actor.TransportCommand;
import io.millrace.testkit.cluster.NodeHandle;
import io.millrace.testkit.cluster.NodeProgram;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * One of the nodes of {@link ActorJvmsTest}: its own actor system, in which the transport lives and
 * actors talk to those of all others.
 *
 * @param victim name of the node that will be killed
 */
record ActorNode(String victim) implements NodeProgram {
  private static final long ROUNDS = 100;
  private static final long LIMIT_S = 30;
  private static final Duration LIMIT = Duration.ofSeconds(LIMIT_S);
  private static final String OVERRIDES =
      """
      millrace.handshake.timeout = 1 s
      millrace.recovery.fail-after = 4 s
      millrace.nic.driver = auto
      """;

  /** The talk with one peer. */
  private record Talk(ActorRef<TalkActor.Message> actor, CompletableFuture<String> lost) {
    void goOn() throws Exception {
      CompletableFuture<Long> reached = new CompletableFuture<>();
      var _ =
          lost.whenComplete(
              (seen, failure) ->
                  reached.completeExceptionally(new AssertionError("lost: " + seen, failure)));
      actor.tell(new TalkActor.Until(ROUNDS, reached));
      reached.get(LIMIT_S, TimeUnit.SECONDS);
    }
  }

  @Override
  public void run(NodeHandle self) throws Exception {
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "application");
    try (Transport node = Transport.builder(TwoNodes.settings(OVERRIDES)).system(system).start()) {
      ActorRef<TransportCommand> transport =
          system.systemActorOf(TransportActor.create(node), "transport", Props.empty());
      CompletableFuture<Integer> isServing = new CompletableFuture<>();
      system.systemActorOf(EchoActor.create(transport, isServing), "echo", Props.empty());
      isServing.get(LIMIT_S, TimeUnit.SECONDS);
      self.publish("address of " + self.name(), node.address());
      Map<String, Talk> talks = new LinkedHashMap<>();
      for (String name : self.others()) {
        String address = self.await("address of " + name);
        CompletableFuture<String> lost = new CompletableFuture<>();
        talks.put(
            name,
            new Talk(
                system.systemActorOf(
                    TalkActor.create(transport, address, lost), "talk-" + name, Props.empty()),
                lost));
      }
      for (Talk talk : talks.values()) {
        talk.goOn();
      }
      self.barrier("all talk to all");
      Talk doomed = talks.remove(victim);
      if (doomed != null) {
        self.publish(self.name() + " saw", doomed.lost().get(LIMIT_S, TimeUnit.SECONDS));
        Talk other = talks.values().iterator().next();
        other.goOn();
        self.result(other.lost().getNow("goes on"));
        // Whoever ends earlier would be lost to the other.
        self.barrier(
            "both go on", self.names().stream().filter(n -> !n.equals(victim)).toList(), LIMIT);
      }
      self.awaitStop();
    } finally {
      system.terminate();
    }
  }
}
