package io.millrace.api.actor;

import io.millrace.api.Registration;
import io.millrace.api.Route;
import io.millrace.api.ServeOptions;
import io.millrace.api.Transport;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Serves routes by actors: an actor answers the calls of a route. Compared with an ask, there are
 * three differences. The call needs no time limit of its own. The end of the actor fails unanswered
 * calls at once. The actor can learn that a caller has given up. Any thread.
 */
public final class ActorRoutes {
  private ActorRoutes() {}

  /**
   * Makes an actor answer each call of a route, until the registration or the transport is closed.
   * When the actor stops, unanswered and later calls fail with {@code HANDLER_FAILED}; close the
   * registration to serve the route with another handler.
   *
   * @param system the actor system of the actor
   * @throws IllegalArgumentException if the route is served already
   */
  public static <Q, R> Registration serve(
      Transport transport,
      ActorSystem<?> system,
      Route<Q, R> route,
      ActorRef<IncomingCall<Q, R>> server) {
    return serve(transport, system, route, ServeOptions.DEFAULTS, server);
  }

  /**
   * Makes an actor answer each call as {@link #serve(Transport, ActorSystem, Route, ActorRef)},
   * with options.
   */
  public static <Q, R> Registration serve(
      Transport transport,
      ActorSystem<?> system,
      Route<Q, R> route,
      ServeOptions options,
      ActorRef<IncomingCall<Q, R>> server) {
    UndecidedCalls calls = new UndecidedCalls(route.name());
    Registration registration =
        transport.serve(
            route,
            options,
            (request, context) -> {
              IncomingCall<Q, R> call = new IncomingCall<>(request, context);
              if (calls.track(call.decision())) {
                server.tell(call);
              }
              return call.decision();
            });
    ActorRef<Boolean> watch =
        system.systemActorOf(watching(server, calls), "millrace-route", Props.empty());
    return registration.onClose(() -> watch.tell(true));
  }

  private static Behavior<Boolean> watching(ActorRef<?> server, UndecidedCalls calls) {
    return Behaviors.setup(
        context -> {
          context.watch(server);
          return Behaviors.receive(Boolean.class)
              .onAnyMessage(_ -> Behaviors.stopped())
              .onSignal(
                  org.apache.pekko.actor.typed.Terminated.class,
                  _ -> {
                    calls.onServerStopped();
                    return Behaviors.stopped();
                  })
              .build();
        });
  }
}
