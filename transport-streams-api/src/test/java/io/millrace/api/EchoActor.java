package io.millrace.api;

import io.millrace.api.actor.IncomingCall;
import io.millrace.api.actor.IncomingStream;
import io.millrace.api.actor.ServeReply;
import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import io.millrace.api.actor.TransportCommand;
import io.millrace.wire.Route;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * An application's actor that answers calls with their payloads and streams with their elements.
 */
final class EchoActor extends AbstractBehavior<EchoActor.Message> {
  static final Route CALLS = Route.of("actor calls");
  static final Route STREAMS = Route.of("actor streams");
  private static final int ROUTES = 2;

  private final CompletableFuture<Integer> isServing;
  private final ActorRef<StreamEvent> events;
  private int served;

  /** What it is told. */
  sealed interface Message {
    record Serving(ServeReply reply) implements Message {}

    record Called(IncomingCall call) implements Message {}

    record Opened(IncomingStream stream) implements Message {}

    record Happened(StreamEvent event) implements Message {}
  }

  private EchoActor(
      ActorContext<Message> context,
      ActorRef<TransportCommand> transport,
      CompletableFuture<Integer> isServing) {
    super(context);
    this.isServing = isServing;
    events = context.messageAdapter(StreamEvent.class, Message.Happened::new);
    ActorRef<ServeReply> replies = context.messageAdapter(ServeReply.class, Message.Serving::new);
    transport.tell(
        new TransportCommand.ServeUnary(
            CALLS, context.messageAdapter(IncomingCall.class, Message.Called::new), replies));
    transport.tell(
        new TransportCommand.ServeBidirectional(
            STREAMS, context.messageAdapter(IncomingStream.class, Message.Opened::new), replies));
  }

  /** Serves both routes; the future completes when peers can reach them. */
  static Behavior<Message> create(
      ActorRef<TransportCommand> transport, CompletableFuture<Integer> isServing) {
    return Behaviors.setup(context -> new EchoActor(context, transport, isServing));
  }

  @Override
  public Receive<Message> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onMessage).build();
  }

  private Behavior<Message> onMessage(Message message) {
    switch (message) {
      case Message.Serving serving -> onServing(serving.reply());
      case Message.Called(IncomingCall call) ->
          call.answer(UnaryResponse.of(call.call().payload()));
      case Message.Opened(IncomingStream stream) ->
          stream.stream().tell(new StreamCommand.Accept(events));
      case Message.Happened(StreamEvent event) -> onEvent(event);
    }
    return this;
  }

  private void onServing(ServeReply reply) {
    if (reply instanceof ServeReply.Served && ++served == ROUTES) {
      isServing.complete(served);
    }
  }

  /** The caller sends the next element when the last has come back: there is demand for each. */
  private static void onEvent(StreamEvent event) {
    switch (event) {
      case StreamEvent.Opened opened -> opened.stream().tell(new StreamCommand.Request(1));
      case StreamEvent.Element(var stream, byte[] bytes) -> {
        stream.tell(new StreamCommand.Push(bytes));
        stream.tell(new StreamCommand.Request(1));
      }
      case StreamEvent.Completed completed -> completed.stream().tell(new StreamCommand.Complete());
      default -> {}
    }
  }
}
