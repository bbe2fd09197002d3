package io.millrace.api;

import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.options;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.actor.CallReply;
import io.millrace.api.actor.IncomingCall;
import io.millrace.api.actor.IncomingRead;
import io.millrace.api.actor.IncomingWrite;
import io.millrace.api.actor.TransportCommand;
import io.millrace.api.actor.TransportCommand.Recipient;
import io.millrace.protocol.transfer.CallOutcome;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Actors give up what they asked for: one reply says so, and whoever serves learns it. */
@Timeout(120)
class ActorCancelsTest {
  private static final int LENGTH = 70_000;

  private static UnaryRequest request() {
    return new UnaryRequest(ROUTE, new byte[1], options());
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldCancelACallAndTellItsServerOnce(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingCall> server = actors.serveUnary(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          ActorInbox<String> told = new ActorInbox<>(nodes, nodes.server());
          actors.call(request(), 1, caller);
          IncomingCall call = server.next(IncomingCall.class);
          call.tellIfUnwanted(told.ref(), "in time");
          assertFalse(call.isUnwanted());

          actors.cancel(1, caller);

          assertCancelled(1, caller);
          assertEquals("in time", told.next(String.class));
          assertTrue(call.isUnwanted());
          call.tellIfUnwanted(told.ref(), "later");
          assertEquals("later", told.next(String.class));
          call.answer(UnaryResponse.of(new byte[2]));
          assertAnswered(actors, server, caller);
          told.assertEmpty();
          Remains.awaitNone(nodes, world);
        });
  }

  private static void assertCancelled(long correlation, ActorInbox<CallReply> caller) {
    CallReply.Failed failed = caller.next(CallReply.Failed.class);
    assertEquals(correlation, failed.correlation());
    assertEquals(CallOutcome.CANCELLED, failed.outcome());
    assertEquals("cancelled", failed.text());
  }

  /** One more call is answered, and nothing else was told before. */
  private static void assertAnswered(
      ActorPair actors, ActorInbox<IncomingCall> server, ActorInbox<CallReply> caller) {
    actors.call(request(), 99, caller);
    server.next(IncomingCall.class).answer(UnaryResponse.of(new byte[3]));
    assertEquals(99, caller.next(CallReply.Answered.class).correlation());
    caller.assertEmpty();
    server.assertEmpty();
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldNotCallUnwantedWhatWasAnswered(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingCall> server = actors.serveUnary(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          ActorInbox<String> told = new ActorInbox<>(nodes, nodes.server());
          actors.call(request(), 1, caller);
          IncomingCall answered = server.next(IncomingCall.class);
          answered.tellIfUnwanted(told.ref(), "answered");
          answered.answer(UnaryResponse.of(new byte[2]));
          caller.next(CallReply.Answered.class);
          actors.call(request(), 2, caller);
          IncomingCall failed = server.next(IncomingCall.class);
          failed.tellIfUnwanted(told.ref(), "failed");
          failed.fail("no answer today");
          caller.next(CallReply.Failed.class);

          answered.tellIfUnwanted(told.ref(), "answered before");
          told.ref().tell("the only one");

          assertFalse(answered.isUnwanted());
          assertFalse(failed.isUnwanted());
          assertEquals("the only one", told.next(String.class));
          told.assertEmpty();
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTellNothingOfWhatHasEndedOrNeverWas(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingCall> server = actors.serveUnary(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          ActorInbox<CallReply> other = new ActorInbox<>(nodes, nodes.client());
          actors.call(request(), 1, caller);
          server.next(IncomingCall.class).answer(UnaryResponse.of(new byte[2]));
          caller.next(CallReply.Answered.class);
          actors.call(request(), 2, caller);
          IncomingCall kept = server.next(IncomingCall.class);

          actors.cancel(1, caller);
          actors.cancel(3, caller);
          actors.cancel(2, other);

          assertAnswered(actors, server, caller);
          assertFalse(kept.isUnwanted());
          kept.answer(UnaryResponse.of(new byte[4]));
          assertEquals(2, caller.next(CallReply.Answered.class).correlation());
          actors.cancel(2, caller);
          assertAnswered(actors, server, caller);
          other.assertEmpty();
          Remains.awaitNone(nodes, world);
        });
  }

  /** Of several with one number the last is meant; the end of one before it changes nothing. */
  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldCancelTheLastCallOfANumber(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingCall> server = actors.serveUnary(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          actors.call(request(), 1, caller);
          IncomingCall first = server.next(IncomingCall.class);
          actors.call(request(), 1, caller);
          IncomingCall last = server.next(IncomingCall.class);
          first.answer(UnaryResponse.of(new byte[2]));
          caller.next(CallReply.Answered.class);

          actors.cancel(1, caller);

          assertCancelled(1, caller);
          assertTrue(nodes.awaitUntil(last::isUnwanted));
          assertAnswered(actors, server, caller);
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldCancelBulkThatIsUndecided(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingWrite> writes = actors.serveBulkWrites(ROUTE);
          ActorInbox<IncomingRead> reads = actors.serveBulkReads(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          KnownSource source = KnownSource.free(1, LENGTH, true);
          BodyTest.Collector wanted = new BodyTest.Collector();
          String address = actors.address();
          actors.client.tell(
              new TransportCommand.WriteBulk(address, ROUTE, source, options(), 1, caller.ref()));
          actors.client.tell(
              new TransportCommand.ReadBulk(address, ROUTE, wanted, options(), 2, caller.ref()));
          IncomingWrite write = writes.next(IncomingWrite.class);
          IncomingRead read = reads.next(IncomingRead.class);

          actors.cancel(1, caller);
          assertCancelled(1, caller);
          actors.cancel(2, caller);
          assertCancelled(2, caller);

          assertTrue(nodes.awaitUntil(() -> source.closed() == 1));
          assertFalse(nodes.await(wanted.end));
          Remains.awaitNone(nodes, world);
          BodyTest.Collector late = new BodyTest.Collector();
          KnownSource lateSource = KnownSource.free(2, LENGTH, true);
          write.accept(late);
          read.open(lateSource);
          assertFalse(nodes.await(late.end));
          assertTrue(nodes.awaitUntil(() -> lateSource.closed() == 1));
          caller.assertEmpty();
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldCancelWhatIsOpenOfABroadcast(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingWrite> writes = actors.serveBulkWrites(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          KnownSource source = KnownSource.free(1, LENGTH, true);
          Recipient server = Recipient.of(actors.address());
          actors.client.tell(
              new TransportCommand.Broadcast(
                  List.of(server, server, Recipient.of("nowhere")),
                  ROUTE,
                  source,
                  StreamChecks.HEADERS,
                  1,
                  caller.ref()));
          writes.next(IncomingWrite.class);
          writes.next(IncomingWrite.class);

          actors.cancel(1, caller);

          CallReply.Delivered delivered = caller.next(CallReply.Delivered.class);
          assertEquals(1, delivered.correlation());
          assertEquals(
              List.of(CallOutcome.CANCELLED, CallOutcome.CANCELLED, CallOutcome.HANDLER_FAILED),
              delivered.outcomes().stream().map(CallReply.RecipientOutcome::outcome).toList());
          for (CallReply.RecipientOutcome each : delivered.outcomes()) {
            assertEquals(0, each.bytes());
            assertFalse(each.text().isEmpty());
          }
          assertTrue(nodes.awaitUntil(() -> source.closed() == 1));
          Remains.awaitNone(nodes, world);
          caller.assertEmpty();
        });
  }
}
