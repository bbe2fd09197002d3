package io.millrace.api;

import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.options;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.actor.CallReply;
import io.millrace.api.actor.IncomingCall;
import io.millrace.api.actor.IncomingStream;
import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import io.millrace.api.actor.StreamEvent.Direction;
import io.millrace.api.actor.TransportCommand;
import io.millrace.protocol.transfer.CallOutcome;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever stops or fails, everybody who waits is told, once, and nothing stays open. */
@Timeout(120)
class ActorEndsTest {
  private static final String SERVER_STOPPED = "the actor that serves 'streams' has stopped";
  private static final String USER_STOPPED = "the actor of this stream has stopped";
  private static final String TRANSPORT_STOPPED = "the transport's actor has stopped";

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldFailTheCallsOfAServerThatStops(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingCall> server = actors.serveUnary(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          UnaryRequest request = new UnaryRequest(ROUTE, new byte[1], options());
          for (int i = 0; i < 3; i++) {
            actors.call(request, i, caller);
          }
          for (int i = 0; i < 3; i++) {
            server.next(IncomingCall.class);
          }

          server.stop();
          for (int i = 0; i < 3; i++) {
            assertFailed(CallOutcome.HANDLER_FAILED, SERVER_STOPPED, caller);
          }
          actors.call(request, 3, caller);
          CallReply.Failed later = assertFailed(CallOutcome.HANDLER_FAILED, SERVER_STOPPED, caller);

          assertEquals(3, later.correlation());
          caller.assertEmpty();
          awaitNothingOpen(nodes);
        });
  }

  private static CallReply.Failed assertFailed(
      CallOutcome outcome, String text, ActorInbox<CallReply> caller) {
    CallReply.Failed failed = caller.next(CallReply.Failed.class);
    assertEquals(outcome, failed.outcome());
    assertTrue(failed.text().contains(text), failed.text());
    return failed;
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldEndStreamsThatNobodyAcceptedWithTheirServer(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingStream> server = actors.serveStreamingRequest(ROUTE);
          ActorEnd first = actors.openStreamingRequest(ROUTE, options());
          server.next(IncomingStream.class);

          server.stop();
          assertEnded(USER_STOPPED, first);
          ActorInbox<StreamEvent> later = new ActorInbox<>(nodes, nodes.client());
          actors.client.tell(
              new TransportCommand.OpenStreamingRequest(
                  actors.address(), ROUTE, options(), later.ref()));
          assertEnded(SERVER_STOPPED, ActorEnd.opened(later));
          awaitNothingOpen(nodes);
        });
  }

  /** The peer refused: what is pushed is not wanted, and there is no response. */
  private static void assertEnded(String text, ActorEnd end) {
    StreamEvent.Failed failed = end.nextFailure(Direction.INCOMING);
    assertEquals(CallOutcome.HANDLER_FAILED, failed.outcome());
    assertTrue(failed.text().contains(text), failed.text());
    end.tell(new StreamCommand.Complete());
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldRefuseAStream(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingStream> server = actors.serveBidirectional(ROUTE);
          ActorEnd caller = actors.openBidirectional(ROUTE, options());

          server.next(IncomingStream.class).stream().tell(new StreamCommand.Fail("not today"));

          assertEnded("not today", caller);
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldEndBothWaysWhenTheActorOfAStreamStops(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<StreamEvent> answering = new ActorInbox<>(nodes, nodes.server());
          ActorPair.Ends ends =
              actors.openBidirectional(ROUTE, new ActorInbox<>(nodes, nodes.client()), answering);
          ends.caller().next(StreamEvent.Headers.class);
          ends.answerer().push(5);
          ends.caller().receive(5);

          answering.stop();

          assertEnded(USER_STOPPED, ends.caller());
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTellTheServerWhenTheCallersActorStops(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<StreamEvent> asking = new ActorInbox<>(nodes, nodes.client());
          ActorPair.Ends ends =
              actors.openBidirectional(ROUTE, asking, new ActorInbox<>(nodes, nodes.server()));
          ends.caller().next(StreamEvent.Headers.class);
          ends.caller().push(5);
          ends.answerer().receive(5);

          asking.stop();

          StreamEvent.Failed failed = ends.answerer().nextFailure(Direction.INCOMING);
          assertEquals(CallOutcome.SOURCE_FAILED, failed.outcome());
          assertTrue(failed.text().contains(USER_STOPPED), failed.text());
          ends.answerer().tell(new StreamCommand.Complete());
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldFailAStreamWhoseActorPushesBeyondTheDemand(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<StreamEvent> asking = new ActorInbox<>(nodes, nodes.client());
          ActorPair.Ends ends =
              actors.openBidirectional(ROUTE, asking, new ActorInbox<>(nodes, nodes.server()));
          ends.caller().next(StreamEvent.Headers.class);
          for (int i = 0; i < 1_000; i++) {
            ends.caller().tell(new StreamCommand.Push(new byte[1]));
          }

          StreamEvent.Failed failed = ends.caller().nextFailure(Direction.BOTH);
          assertEquals(CallOutcome.SOURCE_FAILED, failed.outcome());
          assertEquals("an element was pushed beyond the demand", failed.text());
          ends.answerer().tell(new StreamCommand.Request(Long.MAX_VALUE));
          StreamEvent event = ends.answerer().nextBesides(StreamEvent.Element.class);
          if (event instanceof StreamEvent.NotWanted) {
            event = ends.answerer().nextBesides(StreamEvent.Element.class);
          }
          assertEquals(StreamEvent.Failed.class, event.getClass(), event.toString());
          ends.answerer().tell(new StreamCommand.Complete());
          awaitNothingOpen(nodes);
          asking.assertEmpty();
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldEndWhatATransportsActorServesAndStreamsWhenItStops(PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingCall> server = actors.serveUnary(ROUTE);
          ActorPair.Ends ends = actors.openBidirectional(ROUTE);
          ends.caller().next(StreamEvent.Headers.class);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          UnaryRequest request = new UnaryRequest(ROUTE, new byte[1], options());
          actors.call(request, 1, caller);
          server.next(IncomingCall.class);

          actors.stopServer();

          StreamEvent.Failed failed = ends.answerer().nextFailure(Direction.BOTH);
          assertEquals(CallOutcome.CLOSED, failed.outcome());
          assertEquals(TRANSPORT_STOPPED, failed.text());
          assertEquals(
              CallOutcome.HANDLER_FAILED, ends.caller().nextFailure(Direction.INCOMING).outcome());
          ends.caller().tell(new StreamCommand.Complete());
          assertFailed(CallOutcome.HANDLER_FAILED, TRANSPORT_STOPPED, caller);
          actors.call(request, 2, caller);
          assertFailed(CallOutcome.HANDLER_FAILED, TRANSPORT_STOPPED, caller);
          assertEquals(
              CallOutcome.HANDLER_FAILED,
              actors.openBidirectional(ROUTE, options()).nextFailure(Direction.INCOMING).outcome());
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldFailEachDirectionOnceWhenThePeerIsClosed(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<StreamEvent> asking = new ActorInbox<>(nodes, nodes.client());
          ActorPair.Ends ends =
              actors.openBidirectional(ROUTE, asking, new ActorInbox<>(nodes, nodes.server()));
          ends.caller().next(StreamEvent.Headers.class);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          actors.serveUnary(ROUTE);
          actors.call(new UnaryRequest(ROUTE, new byte[1], options()), 1, caller);

          nodes.server().close();

          StreamEvent.Failed one = ends.caller().next(StreamEvent.Failed.class);
          StreamEvent.Failed other = ends.caller().next(StreamEvent.Failed.class);
          assertTrue(one.direction() != other.direction(), "both " + one.direction());
          assertTrue(one.direction() != Direction.BOTH && other.direction() != Direction.BOTH);
          caller.next(CallReply.Failed.class);
          asking.assertEmpty();
        });
  }
}
