package io.millrace.api;

import static io.millrace.api.StreamChecks.ANSWERED;
import static io.millrace.api.StreamChecks.HEADERS;
import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.options;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.actor.body.ArraySource;
import io.millrace.api.actor.CallReply;
import io.millrace.api.actor.IncomingCall;
import io.millrace.api.actor.IncomingRead;
import io.millrace.api.actor.IncomingStream;
import io.millrace.api.actor.IncomingWrite;
import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import io.millrace.api.actor.TransportCommand;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Actors call, stream and serve by messages alone, in every pattern. */
@Timeout(120)
class ActorsTest {
  private static final byte[] PAYLOAD = BodyTest.random(70_000, 5);

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldAnswerCalls(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingCall> server = actors.serveUnary(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          for (int i = 0; i < 3; i++) {
            actors.call(new UnaryRequest(ROUTE, PAYLOAD, options()), 100 + i, caller);
          }

          for (int i = 0; i < 3; i++) {
            IncomingCall call = server.next(IncomingCall.class);
            assertArrayEquals(HEADERS, call.call().headers());
            assertArrayEquals(PAYLOAD, call.call().payload());
            call.answer(new UnaryResponse(ANSWERED, PAYLOAD));
            CallReply.Answered reply = caller.next(CallReply.Answered.class);
            assertArrayEquals(ANSWERED, reply.response().headers());
            assertArrayEquals(PAYLOAD, reply.response().payload());
          }
          caller.assertEmpty();
          StreamChecks.awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTransferBulk(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingWrite> writes = actors.serveBulkWrites(ROUTE);
          ActorInbox<IncomingRead> reads = actors.serveBulkReads(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          BodyTest.Collector stored = new BodyTest.Collector();
          BodyTest.Collector fetched = new BodyTest.Collector();

          actors.client.tell(
              new TransportCommand.WriteBulk(
                  actors.address(), ROUTE, source(), options(), 1, caller.ref()));
          IncomingWrite write = writes.next(IncomingWrite.class);
          write.accept(stored);
          CallReply.Transferred written = caller.next(CallReply.Transferred.class);
          actors.client.tell(
              new TransportCommand.ReadBulk(
                  actors.address(), ROUTE, fetched, options(), 2, caller.ref()));
          IncomingRead read = reads.next(IncomingRead.class);
          read.open(source());
          CallReply.Transferred got = caller.next(CallReply.Transferred.class);

          assertArrayEquals(HEADERS, write.offer().headers());
          assertArrayEquals(HEADERS, read.offer().headers());
          assertEquals(1, written.correlation());
          assertEquals(2, got.correlation());
          assertEquals(PAYLOAD.length, written.receipt().bytes());
          assertArrayEquals(PAYLOAD, stored.bytes.toByteArray());
          assertArrayEquals(PAYLOAD, fetched.bytes.toByteArray());
          StreamChecks.awaitNothingOpen(nodes);
        });
  }

  private static ArraySource source() {
    return new ArraySource(PAYLOAD, 0, PAYLOAD.length);
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldStreamResponses(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingStream> server = actors.serveStreamingResponse(ROUTE);
          ActorEnd caller =
              actors.open(
                  events ->
                      new TransportCommand.OpenStreamingResponse(
                          actors.address(), new UnaryRequest(ROUTE, PAYLOAD, options()), events));
          IncomingStream came = server.next(IncomingStream.class);
          ActorEnd answerer = actors.accept(came);

          assertArrayEquals(HEADERS, came.headers());
          assertArrayEquals(PAYLOAD, came.payload());
          assertEquals(0, caller.next(StreamEvent.Headers.class).bytes().length);
          for (int i = 0; i < 20; i++) {
            answerer.push(10);
            caller.receive(10);
          }
          answerer.tell(new StreamCommand.Complete());
          caller.next(StreamEvent.Completed.class);
          StreamChecks.awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldStreamRequests(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingStream> server = actors.serveStreamingRequest(ROUTE);
          ActorEnd caller = actors.openStreamingRequest(ROUTE, options());
          IncomingStream came = server.next(IncomingStream.class);
          ActorEnd answerer = actors.accept(came);

          assertArrayEquals(HEADERS, came.headers());
          for (int i = 0; i < 20; i++) {
            caller.push(10);
            answerer.receive(10);
          }
          caller.tell(new StreamCommand.Complete());
          answerer.next(StreamEvent.Completed.class);
          answerer.tell(new StreamCommand.Respond(new UnaryResponse(ANSWERED, PAYLOAD)));
          UnaryResponse response = caller.next(StreamEvent.Responded.class).response();
          assertArrayEquals(ANSWERED, response.headers());
          assertArrayEquals(PAYLOAD, response.payload());
          StreamChecks.awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldStreamBothWaysAndEndEachByItself(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorPair.Ends ends = actors.openBidirectional(ROUTE);
          ends.caller().next(StreamEvent.Headers.class);
          for (int i = 0; i < 20; i++) {
            ends.caller().push(10);
            ends.answerer().push(10);
            ends.answerer().receive(10);
            ends.caller().receive(10);
          }

          ends.caller().tell(new StreamCommand.Complete());
          ends.answerer().next(StreamEvent.Completed.class);
          for (int i = 0; i < 20; i++) {
            ends.answerer().push(10);
            ends.caller().receive(10);
          }
          ends.answerer().tell(new StreamCommand.Complete());
          ends.caller().next(StreamEvent.Completed.class);
          StreamChecks.awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldGiveNoMoreElementsThanWereRequested(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorPair.Ends ends = actors.openBidirectional(ROUTE);
          ends.caller().next(StreamEvent.Headers.class);
          ends.answerer().push(20);

          ends.caller().receive(3);
          ends.caller().push(1);
          ends.answerer().receive(1);
          ends.answerer().tell(new StreamCommand.Cancel());
          ends.caller().next(StreamEvent.NotWanted.class);
          ends.caller().receive(17);
          ends.answerer().tell(new StreamCommand.Complete());
          ends.caller().next(StreamEvent.Completed.class);
          StreamChecks.awaitNothingOpen(nodes);
        });
  }
}
