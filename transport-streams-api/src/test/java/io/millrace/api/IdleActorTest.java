package io.millrace.api;

import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.options;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import io.millrace.api.actor.StreamEvent.Direction;
import io.millrace.api.actor.TransportCommand;
import io.millrace.protocol.transfer.CallOutcome;
import java.time.Duration;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An actor that asks for nothing more hears of a failure while elements wait for it. */
@Timeout(120)
class IdleActorTest {
  private static Source<byte[], ?> endless() {
    return Source.repeat(new byte[1]);
  }

  private static void takeOne(ActorEnd caller) {
    caller.next(StreamEvent.Headers.class);
    caller.tell(new StreamCommand.Request(1));
    caller.next(StreamEvent.Element.class);
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTellThatThePeerOfAResponseIsLost(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorInbox<StreamEvent> asking = new ActorInbox<>(nodes, nodes.client());
          ActorEnd caller = openResponse(nodes, options(), asking);
          takeOne(caller);

          nodes.server().close();

          assertEquals(CallOutcome.PEER_RESET, caller.nextFailure(Direction.INCOMING).outcome());
          asking.assertEmpty();
        });
  }

  private static ActorEnd openResponse(
      NodePair nodes, TransferOptions options, ActorInbox<StreamEvent> asking) {
    nodes.server().serveStreamingResponse(ROUTE, call -> StreamingResponse.of(endless()));
    ActorPair actors = new ActorPair(nodes);
    UnaryRequest request = new UnaryRequest(ROUTE, new byte[0], options);
    actors.client.tell(
        new TransportCommand.OpenStreamingResponse(actors.address(), request, asking.ref()));
    return ActorEnd.opened(asking);
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTellThatTheDeadlineIsOver(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorInbox<StreamEvent> asking = new ActorInbox<>(nodes, nodes.client());
          TransferOptions options = options().withDeadline(Duration.ofSeconds(2));
          ActorEnd caller = openResponse(nodes, options, asking);
          takeOne(caller);

          assertEquals(CallOutcome.EXPIRED, caller.nextFailure(Direction.INCOMING).outcome());
          awaitNothingOpen(nodes);
          asking.assertEmpty();
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldFailEachDirectionOnceWhenThePeerOfBothIsLost(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          nodes
              .server()
              .serveBidirectional(
                  ROUTE, call -> StreamingResponse.of(call.elements().merge(endless())));
          ActorInbox<StreamEvent> asking = new ActorInbox<>(nodes, nodes.client());
          ActorPair actors = new ActorPair(nodes);
          actors.client.tell(
              new TransportCommand.OpenBidirectional(
                  actors.address(), ROUTE, options(), asking.ref()));
          ActorEnd caller = ActorEnd.opened(asking);
          takeOne(caller);

          nodes.server().close();

          StreamEvent.Failed one = caller.next(StreamEvent.Failed.class);
          StreamEvent.Failed other = caller.next(StreamEvent.Failed.class);
          assertTrue(one.direction() != other.direction(), "both " + one.direction());
          assertTrue(one.direction() != Direction.BOTH && other.direction() != Direction.BOTH);
          asking.assertEmpty();
        });
  }
}
