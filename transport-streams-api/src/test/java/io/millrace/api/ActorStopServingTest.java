package io.millrace.api;

import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.options;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.actor.CallReply;
import io.millrace.api.actor.IncomingCall;
import io.millrace.api.actor.IncomingStream;
import io.millrace.api.actor.IncomingWrite;
import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import io.millrace.api.actor.StreamEvent.Direction;
import io.millrace.api.actor.TransportCommand;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Actors stop serving a route: nothing more comes, and what came before is still decided. */
@Timeout(120)
class ActorStopServingTest {
  private static final int LENGTH = 70_000;

  private static void call(ActorPair actors, long correlation, ActorInbox<CallReply> caller) {
    actors.call(new UnaryRequest(ROUTE, new byte[1], options()), correlation, caller);
  }

  private static void assertFailed(
      long correlation, CallOutcome outcome, String text, ActorInbox<CallReply> caller) {
    CallReply.Failed failed = caller.next(CallReply.Failed.class);
    assertEquals(correlation, failed.correlation());
    assertEquals(outcome, failed.outcome());
    assertTrue(failed.text().contains(text), failed.text());
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldLeaveTheServerWhatItWasGivenAndNoMore(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingCall> server = actors.serveUnary(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          call(actors, 1, caller);
          IncomingCall given = server.next(IncomingCall.class);

          actors.stopServing(ROUTE);

          call(actors, 2, caller);
          assertFailed(2, CallOutcome.UNKNOWN_ROUTE, "", caller);
          given.answer(UnaryResponse.of(new byte[5]));
          CallReply.Answered answered = caller.next(CallReply.Answered.class);
          assertEquals(1, answered.correlation());
          assertEquals(5, answered.response().payload().length);
          server.assertEmpty();
          caller.assertEmpty();
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldLetAnotherServeAtOnce(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingCall> first = actors.serveUnary(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          call(actors, 1, caller);
          IncomingCall given = first.next(IncomingCall.class);

          actors.stopServing(ROUTE);
          ActorInbox<IncomingCall> second = actors.serveUnary(ROUTE);

          call(actors, 2, caller);
          second.next(IncomingCall.class).answer(UnaryResponse.of(new byte[2]));
          assertEquals(2, caller.next(CallReply.Answered.class).correlation());
          given.answer(UnaryResponse.of(new byte[1]));
          assertEquals(1, caller.next(CallReply.Answered.class).correlation());
          first.assertEmpty();
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldFailWhatAServerWasGivenThatStopsAfterwards(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingCall> first = actors.serveUnary(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          call(actors, 1, caller);
          first.next(IncomingCall.class);
          actors.stopServing(ROUTE);
          ActorInbox<IncomingCall> second = actors.serveUnary(ROUTE);
          call(actors, 2, caller);
          IncomingCall kept = second.next(IncomingCall.class);
          actors.stopServing(ROUTE);

          first.stop();

          String stopped = "the actor that serves 'streams' has stopped";
          assertFailed(1, CallOutcome.HANDLER_FAILED, stopped, caller);
          kept.answer(UnaryResponse.of(new byte[2]));
          assertEquals(2, caller.next(CallReply.Answered.class).correlation());
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldFailWhatIsLeftWhenTheTransportsActorStops(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingCall> server = actors.serveUnary(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          call(actors, 1, caller);
          server.next(IncomingCall.class);
          actors.stopServing(ROUTE);

          actors.stopServer();

          String stopped = "the transport's actor has stopped";
          assertFailed(1, CallOutcome.HANDLER_FAILED, stopped, caller);
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldAnswerForARouteThatNobodyServes(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          actors.stopServing(ROUTE);
          ActorInbox<IncomingCall> server = actors.serveUnary(ROUTE);
          actors.stopServing(Route.of("other"));
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());

          call(actors, 1, caller);
          server.next(IncomingCall.class).answer(UnaryResponse.of(new byte[2]));
          caller.next(CallReply.Answered.class);
          actors.stopServing(ROUTE);
          actors.stopServing(ROUTE);

          call(actors, 2, caller);
          assertFailed(2, CallOutcome.UNKNOWN_ROUTE, "", caller);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldLetTheRouteOfAServerGoThatHasStopped(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingCall> server = actors.serveUnary(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          server.stop();
          call(actors, 1, caller);
          caller.next(CallReply.Failed.class);

          actors.stopServing(ROUTE);

          call(actors, 2, caller);
          assertFailed(2, CallOutcome.UNKNOWN_ROUTE, "", caller);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldLetEveryPartOfARouteGo(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          actors.serveUnary(ROUTE);
          ActorInbox<IncomingWrite> writes = actors.serveBulkWrites(ROUTE);
          ActorInbox<IncomingStream> streams = actors.serveStreamingRequest(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          KnownSource given = KnownSource.free(1, LENGTH, true);
          KnownSource later = KnownSource.free(2, LENGTH, true);
          write(actors, given, 1, caller);
          IncomingWrite undecided = writes.next(IncomingWrite.class);
          ActorEnd open = actors.openStreamingRequest(ROUTE, options());
          IncomingStream waiting = streams.next(IncomingStream.class);

          actors.stopServing(ROUTE);

          call(actors, 2, caller);
          assertFailed(2, CallOutcome.UNKNOWN_ROUTE, "", caller);
          write(actors, later, 3, caller);
          assertFailed(3, CallOutcome.UNKNOWN_ROUTE, "", caller);
          ActorEnd refused = actors.openStreamingRequest(ROUTE, options());
          assertEquals(
              CallOutcome.UNKNOWN_ROUTE, refused.nextFailure(Direction.INCOMING).outcome());
          refused.tell(new StreamCommand.Complete());
          undecided.accept(new BodyTest.Collector());
          assertEquals(1, caller.next(CallReply.Transferred.class).correlation());
          assertStreams(open, actors.accept(waiting));
          assertTrue(nodes.awaitUntil(() -> given.closed() == 1 && later.closed() == 1));
          Remains.awaitNone(nodes, world);
        });
  }

  private static void write(
      ActorPair actors, KnownSource source, long correlation, ActorInbox<CallReply> caller) {
    actors.client.tell(
        new TransportCommand.WriteBulk(
            actors.address(), ROUTE, source, options(), correlation, caller.ref()));
  }

  /** A stream of requests goes on to its end. */
  private static void assertStreams(ActorEnd caller, ActorEnd answerer) {
    caller.push(5);
    answerer.receive(5);
    caller.tell(new StreamCommand.Complete());
    answerer.next(StreamEvent.Completed.class);
    answerer.tell(new StreamCommand.Respond(UnaryResponse.of(new byte[2])));
    caller.next(StreamEvent.Responded.class);
  }
}
