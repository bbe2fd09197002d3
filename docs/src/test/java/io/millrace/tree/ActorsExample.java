package io.millrace.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.UnaryRequest;
import io.millrace.api.UnaryResponse;
import io.millrace.api.actor.CallReply;
import io.millrace.api.actor.IncomingCall;
import io.millrace.api.actor.IncomingStream;
import io.millrace.api.actor.ServeReply;
import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import io.millrace.api.actor.TransportCommand;
import io.millrace.wire.Route;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Actors that serve, call and stream; {@code transport} is a {@code TransportActor}. */
final class ActorsExample {
  static final Route GREET = Route.of("greet");
  static final Route COUNT = Route.of("count");

  /** Greets each caller. */
  static Behavior<IncomingCall> greeter(
      ActorRef<TransportCommand> transport, ActorRef<ServeReply> isServing) {
    return Behaviors.setup(
        context -> {
          transport.tell(new TransportCommand.ServeUnary(GREET, context.getSelf(), isServing));
          return Behaviors.receiveMessage(
              call -> {
                String name = new String(call.call().payload(), UTF_8);
                call.answer(UnaryResponse.of(("hello " + name).getBytes(UTF_8)));
                return Behaviors.same();
              });
        });
  }

  /** Asks a peer for a greeting and passes on what came of it. */
  static Behavior<CallReply> caller(
      ActorRef<TransportCommand> transport, String peer, ActorRef<String> listener) {
    return Behaviors.setup(
        context -> {
          UnaryRequest request = UnaryRequest.of(GREET, "actor".getBytes(UTF_8));
          transport.tell(new TransportCommand.Call(peer, request, 1, context.getSelf()));
          return Behaviors.receiveMessage(
              reply -> {
                listener.tell(
                    switch (reply) {
                      case CallReply.Answered answered ->
                          new String(answered.response().payload(), UTF_8);
                      case CallReply.Transferred done -> done.receipt().bytes() + " bytes";
                      case CallReply.Delivered all -> all.outcomes().size() + " recipients";
                      case CallReply.Failed failed -> failed.outcome() + ": " + failed.text();
                    });
                return Behaviors.stopped();
              });
        });
  }

  /** Has an actor of its own count for each stream. */
  static Behavior<IncomingStream> counters(
      ActorRef<TransportCommand> transport, ActorRef<ServeReply> isServing) {
    return Behaviors.setup(
        context -> {
          transport.tell(
              new TransportCommand.ServeStreamingResponse(COUNT, context.getSelf(), isServing));
          return Behaviors.receiveMessage(
              stream -> {
                ActorRef<StreamEvent> counter = context.spawnAnonymous(counter(0));
                stream.stream().tell(new StreamCommand.Accept(counter));
                return Behaviors.same();
              });
        });
  }

  /** Pushes no more than there is demand for, until nobody wants more. */
  private static Behavior<StreamEvent> counter(int next) {
    return Behaviors.receiveMessage(
        event -> {
          return switch (event) {
            case StreamEvent.Demand(var stream, int count) -> {
              for (int i = next; i < next + count; i++) {
                stream.tell(new StreamCommand.Push(Integer.toString(i).getBytes(UTF_8)));
              }
              yield counter(next + count);
            }
            case StreamEvent.NotWanted _, StreamEvent.Failed _ -> Behaviors.stopped();
            default -> Behaviors.same();
          };
        });
  }

  /** Takes so many elements of a peer's stream, one at a time, and passes them on. */
  static Behavior<StreamEvent> taker(
      ActorRef<TransportCommand> transport, String peer, int wanted, ActorRef<String> listener) {
    return Behaviors.setup(
        context -> {
          transport.tell(
              new TransportCommand.OpenStreamingResponse(
                  peer, UnaryRequest.of(COUNT, new byte[0]), context.getSelf()));
          return taking(wanted, listener);
        });
  }

  private static Behavior<StreamEvent> taking(int wanted, ActorRef<String> listener) {
    return Behaviors.receiveMessage(
        event -> {
          switch (event) {
            case StreamEvent.Opened(var stream) -> stream.tell(new StreamCommand.Request(1));
            case StreamEvent.Element(var stream, byte[] bytes) -> {
              listener.tell(new String(bytes, UTF_8));
              stream.tell(wanted == 1 ? new StreamCommand.Cancel() : new StreamCommand.Request(1));
              return wanted == 1 ? Behaviors.stopped() : taking(wanted - 1, listener);
            }
            case StreamEvent.Failed failed -> listener.tell(failed.text());
            default -> {}
          }
          return Behaviors.same();
        });
  }
}
