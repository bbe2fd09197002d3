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
 * Routes whose calls an actor answers. An ask would do the same but for three things: no time limit
 * of its own is needed, the actor's end fails at once what it had not answered, and the actor may
 * hear that a caller has given up. Any thread.
 */
public final class ActorRoutes {
  private ActorRoutes() {}

  /**
   * Has an actor answer each call of a route, until the registration is closed, or the transport.
   * When the actor stops, what it has not answered and what comes later fail with {@code
   * HANDLER_FAILED}; close the registration to serve the route otherwise.
   *
   * @param system where the actor lives
   * @throws IllegalArgumentException if the route is served already
   */
  public static <Q, R> Registration serve(
      Transport transport,
      ActorSystem<?> system,
      Route<Q, R> route,
      ActorRef<IncomingCall<Q, R>> server) {
    return serve(transport, system, route, ServeOptions.DEFAULTS, server);
  }

  /** As {@link #serve(Transport, ActorSystem, Route, ActorRef)}, with options. */
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
