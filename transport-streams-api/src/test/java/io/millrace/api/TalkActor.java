package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.actor.CallReply;
import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import io.millrace.api.actor.TransportCommand;
import io.millrace.protocol.transfer.CallOutcome;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * An application's actor that talks to the {@link EchoActor} of one peer: an element and its echo,
 * a call and its answer, round after round, until the peer is lost.
 */
final class TalkActor extends AbstractBehavior<TalkActor.Message> {
  private static final int PAYLOAD_BYTES = 300;

  private final ActorRef<TransportCommand> transport;
  private final String peer;
  private final CompletableFuture<String> lost;
  private final ActorRef<CallReply> replies;
  private final Map<StreamEvent.Direction, CallOutcome> failed =
      new EnumMap<>(StreamEvent.Direction.class);
  private long round;
  private byte[] sent = {};
  private @Nullable ActorRef<StreamCommand> stream;
  private @Nullable Until until;

  /** What it is told. */
  sealed interface Message {}

  private record Replied(CallReply reply) implements Message {}

  private record Happened(StreamEvent event) implements Message {}

  /** Wants to know when so many rounds more have been. */
  record Until(long rounds, CompletableFuture<Long> reached) implements Message {}

  private TalkActor(
      ActorContext<Message> context,
      ActorRef<TransportCommand> transport,
      String peer,
      CompletableFuture<String> lost) {
    super(context);
    this.transport = transport;
    this.peer = peer;
    this.lost = lost;
    replies = context.messageAdapter(CallReply.class, Replied::new);
    transport.tell(
        new TransportCommand.OpenBidirectional(
            peer,
            EchoActor.STREAMS,
            TransferOptions.DEFAULTS,
            context.messageAdapter(StreamEvent.class, Happened::new)));
  }

  /** Talks to the peer; the future completes with what told of its loss, or fails. */
  static Behavior<Message> create(
      ActorRef<TransportCommand> transport, String peer, CompletableFuture<String> lost) {
    return Behaviors.setup(context -> new TalkActor(context, transport, peer, lost));
  }

  @Override
  public Receive<Message> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onMessage).build();
  }

  private Behavior<Message> onMessage(Message message) {
    switch (message) {
      case Replied(CallReply reply) -> onReply(reply);
      case Happened(StreamEvent event) -> onEvent(event);
      case Until(long rounds, CompletableFuture<Long> reached) ->
          until = new Until(round + rounds, reached);
    }
    return this;
  }

  private void onEvent(StreamEvent event) {
    switch (event) {
      case StreamEvent.Opened opened -> stream = opened.stream();
      case StreamEvent.Headers headers -> push();
      case StreamEvent.Element element -> {
        check(element.bytes());
        call();
      }
      case StreamEvent.Failed failure -> {
        failed.put(failure.direction(), failure.outcome());
        if (failed.size() == 2) {
          call();
        }
      }
      case StreamEvent.Demand demand -> {}
      default -> lost.completeExceptionally(new AssertionError("unexpected " + event));
    }
  }

  private void onReply(CallReply reply) {
    switch (reply) {
      case CallReply.Answered(long correlation, UnaryResponse response) -> {
        check(response.payload());
        if (correlation != round) {
          lost.completeExceptionally(new AssertionError(correlation + " instead of " + round));
        }
        round++;
        tellRounds();
        push();
      }
      case CallReply.Failed failure when failed.size() == 2 ->
          lost.complete(failed + ", " + failure.outcome());
      case CallReply.Failed failure -> {}
      default -> lost.completeExceptionally(new AssertionError("unexpected " + reply));
    }
  }

  private void tellRounds() {
    Until goal = until;
    if (goal != null && round >= goal.rounds()) {
      until = null;
      goal.reached().complete(round);
    }
  }

  private void push() {
    sent = Arrays.copyOf(("element " + round).getBytes(UTF_8), PAYLOAD_BYTES);
    ActorRef<StreamCommand> to = stream;
    if (to != null) {
      to.tell(new StreamCommand.Push(sent));
      to.tell(new StreamCommand.Request(1));
    }
  }

  private void call() {
    sent = Arrays.copyOf(("call " + round).getBytes(UTF_8), PAYLOAD_BYTES);
    transport.tell(
        new TransportCommand.Call(peer, UnaryRequest.of(EchoActor.CALLS, sent), round, replies));
  }

  private void check(byte[] echo) {
    if (!Arrays.equals(sent, echo)) {
      lost.completeExceptionally(new AssertionError("other bytes came back in round " + round));
    }
  }
}
