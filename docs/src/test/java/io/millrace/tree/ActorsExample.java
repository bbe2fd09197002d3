package io.millrace.tree;

import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.actor.ActorRoutes;
import io.millrace.api.actor.IncomingCall;
import io.millrace.api.codec.jackson.JacksonCodec;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Two actors at two nodes. */
final class ActorsExample {
  /** A number of sacks that came in, and the number of sacks in store. */
  static final Route<Integer, Integer> SACKS =
      Route.of("sacks", JacksonCodec.of(Integer.class), JacksonCodec.of(Integer.class));

  private ActorsExample() {}

  /** Counts sacks; the actor has a state, and needs no lock for the state. */
  static Behavior<IncomingCall<Integer, Integer>> mill(int sacks) {
    return Behaviors.receiveMessage(
        call -> {
          int now = sacks + call.request();
          call.answer(now);
          return mill(now);
        });
  }

  /** Brings some sacks, tells the answer, and stops. */
  static Behavior<String> baker(Peer mill, int sacks, Consumer<String> heard) {
    return Behaviors.setup(
        context -> {
          context.pipeToSelf(
              mill.unary(SACKS, sacks),
              (now, failure) -> failure == null ? now + " sacks" : failure.getMessage());
          return Behaviors.receiveMessage(
              message -> {
                heard.accept(message);
                return Behaviors.stopped();
              });
        });
  }

  static void serve(Transport transport, ActorSystem<?> system) {
    ActorRef<IncomingCall<Integer, Integer>> mill =
        system.systemActorOf(mill(0), "mill", Props.empty());
    ActorRoutes.serve(transport, system, SACKS, mill);
  }
}
