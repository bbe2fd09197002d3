package io.millrace.api.actor;

import io.millrace.actor.submission.FailureText;
import io.millrace.api.Registration;
import io.millrace.api.Transport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SystemMaterializer;

/**
 * A {@link Transport} that actors use by messages: {@link TransportCommand}s are answered with
 * {@link CallReply}, {@link StreamEvent}, {@link ServeReply} and {@link DrainReply}. It does not
 * own the transport. Nothing that is asked of it makes it fail: a call that cannot be made is
 * answered with {@link CallReply.Failed}, a stream with {@link StreamEvent.Failed}, a route with
 * {@link ServeReply.Refused}, a drain with {@link DrainReply.Failed}.
 *
 * <p>When it stops, its streams fail with {@code CLOSED}, its routes answer that it has stopped,
 * and calls that are under way are answered as ever. A host's name in a peer's address is looked up
 * when the peer is named first, which may block.
 */
public final class TransportActor extends AbstractBehavior<TransportCommand> {
  private final Transport transport;
  private final Materializer materializer;
  private final StreamOpener opener;
  private final RouteTable served = new RouteTable();
  private final ActorCalls calls;

  private TransportActor(ActorContext<TransportCommand> context, Transport transport) {
    super(context);
    this.transport = transport;
    materializer = SystemMaterializer.get(context.getSystem()).materializer();
    NamedPeers peers = new NamedPeers(transport::peer);
    calls = new ActorCalls(transport, peers);
    opener = new StreamOpener(peers, materializer);
  }

  /** An actor for this transport; it may live in any actor system of this process. */
  public static Behavior<TransportCommand> create(Transport transport) {
    return Behaviors.setup(context -> new TransportActor(context, transport));
  }

  @Override
  public Receive<TransportCommand> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::onCommand)
        .onSignal(Terminated.class, signal -> onServerStopped(signal.getRef()))
        .onSignal(PostStop.class, signal -> onStop())
        .onSignal(PreRestart.class, signal -> onStop())
        .build();
  }

  private Behavior<TransportCommand> onCommand(TransportCommand command) {
    switch (command) {
      case TransportCommand.Calling calling -> onCalling(calling);
      case TransportCommand.CancelCall cancel -> calls.cancel(cancel);
      case TransportCommand.Serving serving -> onServing(serving);
      case TransportCommand.StopServing stop -> onStopServing(stop);
      case TransportCommand.Drain drain -> onDrain(drain);
      case StreamCame came -> getContext().spawnAnonymous(StreamActor.served(came));
    }
    return this;
  }

  private void onDrain(TransportCommand.Drain drain) {
    var _ =
        transport
            .drain(drain.limit())
            .whenComplete(
                (left, failure) ->
                    drain
                        .replyTo()
                        .tell(
                            failure == null
                                ? new DrainReply.Drained(left)
                                : new DrainReply.Failed(FailureText.of(failure))));
  }

  private void onCalling(TransportCommand.Calling command) {
    switch (command) {
      case TransportCommand.Call call -> calls.call(call);
      case TransportCommand.WriteBulk write -> calls.write(write);
      case TransportCommand.ReadBulk read -> calls.read(read);
      case TransportCommand.Broadcast broadcast -> calls.broadcast(broadcast);
      case TransportCommand.OpenStreamingResponse open ->
          onOpen(() -> opener.open(open), open.events());
      case TransportCommand.OpenStreamingRequest open ->
          onOpen(() -> opener.open(open), open.events());
      case TransportCommand.OpenBidirectional open ->
          onOpen(() -> opener.open(open), open.events());
    }
  }

  private void onOpen(Supplier<StreamEnds> opening, ActorRef<StreamEvent> events) {
    Behavior<StreamCommand> stream;
    try {
      stream = StreamActor.opened(opening.get(), events);
    } catch (RuntimeException e) {
      stream = StreamActor.failed(e, events);
    }
    getContext().spawnAnonymous(stream);
  }

  private void onServing(TransportCommand.Serving command) {
    switch (command) {
      case TransportCommand.ServeUnary serve ->
          serve(
              serve,
              serve.server(),
              route ->
                  transport.serve(
                      serve.route(),
                      serve.acceptor(),
                      call -> ServedRoute.ask(route, new IncomingCall(call))));
      case TransportCommand.ServeBulkWrites serve ->
          serve(
              serve,
              serve.server(),
              route ->
                  transport.serveBulkWrites(
                      serve.route(), offer -> ServedRoute.ask(route, new IncomingWrite(offer))));
      case TransportCommand.ServeBulkReads serve ->
          serve(
              serve,
              serve.server(),
              route ->
                  transport.serveBulkReads(
                      serve.route(), offer -> ServedRoute.ask(route, new IncomingRead(offer))));
      case TransportCommand.ServeStreamingResponse serve ->
          serve(
              serve,
              serve.server(),
              route ->
                  transport.serveStreamingResponse(
                      serve.route(), serve.acceptor(), receiver(route)::onStreamingResponse));
      case TransportCommand.ServeStreamingRequest serve ->
          serve(
              serve,
              serve.server(),
              route ->
                  transport.serveStreamingRequest(
                      serve.route(), serve.acceptor(), receiver(route)::onStreamingRequest));
      case TransportCommand.ServeBidirectional serve ->
          serve(
              serve,
              serve.server(),
              route ->
                  transport.serveBidirectional(
                      serve.route(), serve.acceptor(), receiver(route)::onBidirectional));
    }
  }

  private void onStopServing(TransportCommand.StopServing stop) {
    served.leave(stop.route());
    stop.replyTo().tell(new ServeReply.Ended(stop.route()));
  }

  private StreamReceiver receiver(ServedRoute<IncomingStream> route) {
    return new StreamReceiver(route, getContext().getSelf(), materializer);
  }

  private <M> void serve(
      TransportCommand.Serving command,
      ActorRef<M> server,
      Function<ServedRoute<M>, Registration> registering) {
    ServedRoute<M> route = new ServedRoute<>(command.route(), server);
    served.vacate(command);
    Registration registration;
    try {
      registration = registering.apply(route);
    } catch (RuntimeException e) {
      command.replyTo().tell(new ServeReply.Refused(command.route(), FailureText.of(e)));
      return;
    }
    served.add(command, route, registration);
    getContext().watch(server);
    command.replyTo().tell(new ServeReply.Served(command.route()));
  }

  private Behavior<TransportCommand> onServerStopped(ActorRef<?> server) {
    served.onServerStopped(server);
    return this;
  }

  private Behavior<TransportCommand> onStop() {
    served.close("the transport's actor has stopped");
    return this;
  }
}
