package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.api.actor.CallReply;
import io.millrace.api.actor.IncomingCall;
import io.millrace.api.actor.IncomingRead;
import io.millrace.api.actor.IncomingStream;
import io.millrace.api.actor.IncomingWrite;
import io.millrace.api.actor.ServeReply;
import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import io.millrace.api.actor.TransportActor;
import io.millrace.api.actor.TransportCommand;
import io.millrace.wire.Route;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Two nodes, each with a transport's actor. */
final class ActorPair {
  final ActorRef<TransportCommand> server;
  final ActorRef<TransportCommand> client;
  private final NodePair nodes;
  private final ActorInbox<ServeReply> served;
  private int reacting;

  ActorPair(NodePair nodes) {
    this.nodes = nodes;
    server = actor(nodes.server(), "transport-of-server");
    client = actor(nodes.client(), "transport-of-client");
    served = new ActorInbox<>(nodes, nodes.server());
  }

  /** Both sides of a stream. */
  record Ends(ActorEnd caller, ActorEnd answerer) {}

  private static ActorRef<TransportCommand> actor(Transport node, String name) {
    return node.pool().system().systemActorOf(TransportActor.create(node), name, Props.empty());
  }

  /** Stops the actor of the server's transport, as its parent would. */
  void stopServer() {
    Adapter.toClassic(nodes.server().pool().system()).stop(Adapter.toClassic(server));
  }

  String address() {
    return nodes.server().address();
  }

  ActorInbox<IncomingCall> serveUnary(Route route) {
    return serve((to, reply) -> new TransportCommand.ServeUnary(route, to, reply));
  }

  ActorInbox<IncomingWrite> serveBulkWrites(Route route) {
    return serve((to, reply) -> new TransportCommand.ServeBulkWrites(route, to, reply));
  }

  ActorInbox<IncomingRead> serveBulkReads(Route route) {
    return serve((to, reply) -> new TransportCommand.ServeBulkReads(route, to, reply));
  }

  ActorInbox<IncomingStream> serveStreamingResponse(Route route) {
    return serve((to, reply) -> new TransportCommand.ServeStreamingResponse(route, to, reply));
  }

  ActorInbox<IncomingStream> serveStreamingRequest(Route route) {
    return serve((to, reply) -> new TransportCommand.ServeStreamingRequest(route, to, reply));
  }

  ActorInbox<IncomingStream> serveBidirectional(Route route) {
    return serve((to, reply) -> new TransportCommand.ServeBidirectional(route, to, reply));
  }

  private <T> ActorInbox<T> serve(
      BiFunction<ActorRef<T>, ActorRef<ServeReply>, TransportCommand> command) {
    ActorInbox<T> inbox = new ActorInbox<>(nodes, nodes.server());
    serve(inbox.ref(), command);
    return inbox;
  }

  /** Has this actor of the server's node serve. */
  <T> void serve(
      ActorRef<T> actor, BiFunction<ActorRef<T>, ActorRef<ServeReply>, TransportCommand> command) {
    server.tell(command.apply(actor, served.ref()));
    served.next(ServeReply.Served.class);
  }

  /** Has nobody serve the route any more. */
  void stopServing(Route route) {
    server.tell(new TransportCommand.StopServing(route, served.ref()));
    assertEquals(route, served.next(ServeReply.Ended.class).route());
    served.assertEmpty();
  }

  /** An actor of the server's node that does this with each message. */
  <T> ActorRef<T> reacting(Consumer<T> reaction) {
    return nodes
        .server()
        .pool()
        .system()
        .systemActorOf(
            Behaviors.<T>receiveMessage(
                message -> {
                  reaction.accept(message);
                  return Behaviors.same();
                }),
            "reacting-" + reacting++,
            Props.empty());
  }

  /** An actor of the server's node that accepts each stream and does this with its events. */
  ActorRef<IncomingStream> answeringStreams(
      Consumer<IncomingStream> opened, Consumer<StreamEvent> reaction) {
    ActorRef<StreamEvent> events = reacting(reaction);
    return reacting(
        came -> {
          opened.accept(came);
          came.stream().tell(new StreamCommand.Accept(events));
        });
  }

  void call(UnaryRequest request, long correlation, ActorInbox<CallReply> replies) {
    client.tell(new TransportCommand.Call(address(), request, correlation, replies.ref()));
  }

  void cancel(long correlation, ActorInbox<CallReply> replies) {
    client.tell(new TransportCommand.CancelCall(correlation, replies.ref()));
  }

  /** Opens a stream with the command that is made for its events. */
  ActorEnd open(Function<ActorRef<StreamEvent>, TransportCommand> command) {
    ActorInbox<StreamEvent> asking = new ActorInbox<>(nodes, nodes.client());
    client.tell(command.apply(asking.ref()));
    return ActorEnd.opened(asking);
  }

  ActorEnd openStreamingRequest(Route route, TransferOptions options) {
    return open(
        events -> new TransportCommand.OpenStreamingRequest(address(), route, options, events));
  }

  ActorEnd openBidirectional(Route route, TransferOptions options) {
    return open(
        events -> new TransportCommand.OpenBidirectional(address(), route, options, events));
  }

  ActorEnd accept(IncomingStream came) {
    return accept(came, new ActorInbox<>(nodes, nodes.server()));
  }

  ActorEnd accept(IncomingStream came, ActorInbox<StreamEvent> events) {
    came.stream().tell(new StreamCommand.Accept(events.ref()));
    return ActorEnd.opened(events);
  }

  ActorEnd accept(IncomingStream came, byte[] headers) {
    ActorInbox<StreamEvent> events = new ActorInbox<>(nodes, nodes.server());
    came.stream().tell(new StreamCommand.Accept(events.ref(), headers));
    return ActorEnd.opened(events);
  }

  /** Serves the route, and opens one stream of it. */
  Ends openBidirectional(Route route) {
    return openBidirectional(
        route, new ActorInbox<>(nodes, nodes.client()), new ActorInbox<>(nodes, nodes.server()));
  }

  Ends openBidirectional(
      Route route, ActorInbox<StreamEvent> asking, ActorInbox<StreamEvent> answering) {
    ActorInbox<IncomingStream> serving = serveBidirectional(route);
    client.tell(
        new TransportCommand.OpenBidirectional(
            address(), route, TransferOptions.DEFAULTS, asking.ref()));
    ActorEnd caller = ActorEnd.opened(asking);
    return new Ends(caller, accept(serving.next(IncomingStream.class), answering));
  }
}
