package io.millrace.api;

import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.options;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.api.actor.IncomingStream;
import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import io.millrace.api.actor.StreamEvent.Direction;
import io.millrace.api.actor.TransportCommand;
import io.millrace.protocol.transfer.CallOutcome;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A caller's actor leaves its stream at any time, and neither side keeps anything of it. */
@Timeout(120)
class ActorLeavesTest {
  /** Who opens what. */
  enum Pattern {
    STREAMING_RESPONSE {
      @Override
      ActorInbox<IncomingStream> serve(ActorPair actors) {
        return actors.serveStreamingResponse(ROUTE);
      }

      @Override
      TransportCommand open(String address, ActorRef<StreamEvent> events) {
        UnaryRequest request = new UnaryRequest(ROUTE, new byte[1], options());
        return new TransportCommand.OpenStreamingResponse(address, request, events);
      }
    },
    STREAMING_REQUEST {
      @Override
      ActorInbox<IncomingStream> serve(ActorPair actors) {
        return actors.serveStreamingRequest(ROUTE);
      }

      @Override
      TransportCommand open(String address, ActorRef<StreamEvent> events) {
        return new TransportCommand.OpenStreamingRequest(address, ROUTE, options(), events);
      }
    },
    BIDIRECTIONAL {
      @Override
      ActorInbox<IncomingStream> serve(ActorPair actors) {
        return actors.serveBidirectional(ROUTE);
      }

      @Override
      TransportCommand open(String address, ActorRef<StreamEvent> events) {
        return new TransportCommand.OpenBidirectional(address, ROUTE, options(), events);
      }
    };

    abstract ActorInbox<IncomingStream> serve(ActorPair actors);

    abstract TransportCommand open(String address, ActorRef<StreamEvent> events);
  }

  /** What the caller's actor had done before it left. */
  enum Moment {
    BEFORE_COMPLETE,
    AFTER_COMPLETE
  }

  private static Stream<Arguments> all(TestInfo test) {
    return Combinations.dealt(Pattern.values(), Moment.values(), PatternWorld.all(test));
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldKeepNothingOpenOfAnActorThatStops(Pattern pattern, Moment moment, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<StreamEvent> asking = new ActorInbox<>(nodes, nodes.client());
          ActorPair.Ends ends = open(actors, pattern, asking);
          if (pattern != Pattern.STREAMING_RESPONSE) {
            ends.caller().push(5);
            ends.answerer().receive(5);
          }
          if (moment == Moment.AFTER_COMPLETE) {
            complete(pattern, ends);
          }

          asking.stop();

          awaitNothingOpen(nodes);
        });
  }

  private static ActorPair.Ends open(
      ActorPair actors, Pattern pattern, ActorInbox<StreamEvent> asking) {
    ActorInbox<IncomingStream> serving = pattern.serve(actors);
    actors.client.tell(pattern.open(actors.address(), asking.ref()));
    ActorEnd caller = ActorEnd.opened(asking);
    return new ActorPair.Ends(caller, actors.accept(serving.next(IncomingStream.class)));
  }

  /** The elements of one direction are over. */
  private static void complete(Pattern pattern, ActorPair.Ends ends) {
    if (pattern == Pattern.STREAMING_RESPONSE) {
      ends.answerer().push(5);
      ends.answerer().tell(new StreamCommand.Complete());
    } else {
      ends.caller().tell(new StreamCommand.Complete());
      ends.answerer().next(StreamEvent.Completed.class);
    }
  }

  private static Stream<Arguments> moments(TestInfo test) {
    return Combinations.dealt(Moment.values(), PatternWorld.all(test));
  }

  @ParameterizedTest
  @MethodSource("moments")
  void shouldEndAStreamOfRequestsWhoseResponseIsNotWanted(Moment moment, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          ActorPair.Ends ends = askAt(moment, nodes);

          ends.caller().tell(new StreamCommand.Cancel());

          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("moments")
  void shouldFailTheResponseToWhatItsActorFails(Moment moment, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          ActorPair.Ends ends = askAt(moment, nodes);

          ends.caller().tell(new StreamCommand.Fail("not all"));

          StreamEvent.Failed failed = ends.caller().nextFailure(Direction.INCOMING);
          assertEquals(CallOutcome.SOURCE_FAILED, failed.outcome());
          assertEquals("SOURCE_FAILED: not all", failed.text());
          awaitNothingOpen(nodes);
        });
  }

  /** A stream of requests at this moment. */
  private static ActorPair.Ends askAt(Moment moment, NodePair nodes) {
    ActorInbox<StreamEvent> asking = new ActorInbox<>(nodes, nodes.client());
    ActorPair.Ends ends = open(new ActorPair(nodes), Pattern.STREAMING_REQUEST, asking);
    ends.caller().push(5);
    ends.answerer().receive(5);
    if (moment == Moment.AFTER_COMPLETE) {
      complete(Pattern.STREAMING_REQUEST, ends);
    }
    return ends;
  }
}
