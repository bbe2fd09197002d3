package io.millrace.api;

import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.actor.body.ArraySource;
import io.millrace.api.PatternsTest.Headers;
import io.millrace.api.actor.CallReply;
import io.millrace.api.actor.IncomingCall;
import io.millrace.api.actor.IncomingRead;
import io.millrace.api.actor.IncomingStream;
import io.millrace.api.actor.IncomingWrite;
import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import io.millrace.api.actor.StreamEvent.Direction;
import io.millrace.api.actor.TransportCommand;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.protocol.transfer.CallOutcome;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What actors say ahead of what they transfer, in every pattern, and how a stream is refused. */
@Timeout(120)
class ActorHeadersTest {
  private static final byte[] PAYLOAD = BodyTest.random(70_000, 5);

  /** A pattern whose both sides are actors. */
  enum Pattern {
    UNARY {
      @Override
      void check(NodePair nodes, ActorPair actors, Headers headers) {
        ActorInbox<IncomingCall> server = actors.serveUnary(ROUTE);
        ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
        actors.call(new UnaryRequest(ROUTE, PAYLOAD, headers.options()), 1, caller);
        IncomingCall call = server.next(IncomingCall.class);
        call.answer(new UnaryResponse(headers.response(), PAYLOAD));

        assertArrayEquals(headers.request(), call.call().headers());
        UnaryResponse response = caller.next(CallReply.Answered.class).response();
        assertArrayEquals(headers.response(), response.headers());
      }
    },
    STREAMING_RESPONSE {
      @Override
      void check(NodePair nodes, ActorPair actors, Headers headers) {
        ActorInbox<IncomingStream> server = actors.serveStreamingResponse(ROUTE);
        UnaryRequest request = new UnaryRequest(ROUTE, PAYLOAD, headers.options());
        ActorEnd caller =
            actors.open(
                events ->
                    new TransportCommand.OpenStreamingResponse(actors.address(), request, events));
        IncomingStream came = server.next(IncomingStream.class);
        ActorEnd answerer = actors.accept(came, headers.response());

        assertArrayEquals(headers.request(), came.headers());
        answer(caller, answerer, headers);
      }
    },
    STREAMING_REQUEST {
      @Override
      void check(NodePair nodes, ActorPair actors, Headers headers) {
        ActorInbox<IncomingStream> server = actors.serveStreamingRequest(ROUTE);
        ActorEnd caller = actors.openStreamingRequest(ROUTE, headers.options());
        IncomingStream came = server.next(IncomingStream.class);
        ActorEnd answerer = actors.accept(came);
        assertArrayEquals(headers.request(), came.headers());
        caller.push(20);
        answerer.receive(20);
        caller.tell(new StreamCommand.Complete());
        answerer.next(StreamEvent.Completed.class);
        answerer.tell(new StreamCommand.Respond(new UnaryResponse(headers.response(), PAYLOAD)));
        UnaryResponse response = caller.next(StreamEvent.Responded.class).response();
        assertArrayEquals(headers.response(), response.headers());
      }
    },
    BIDIRECTIONAL {
      @Override
      void check(NodePair nodes, ActorPair actors, Headers headers) {
        ActorInbox<IncomingStream> server = actors.serveBidirectional(ROUTE);
        ActorEnd caller = actors.openBidirectional(ROUTE, headers.options());
        IncomingStream came = server.next(IncomingStream.class);
        ActorEnd answerer = actors.accept(came, headers.response());
        assertArrayEquals(headers.request(), came.headers());
        caller.tell(new StreamCommand.Complete());
        answerer.next(StreamEvent.Completed.class);
        answer(caller, answerer, headers);
      }
    },
    BULK {
      @Override
      void check(NodePair nodes, ActorPair actors, Headers headers) {
        ActorInbox<IncomingWrite> writes = actors.serveBulkWrites(ROUTE);
        ActorInbox<IncomingRead> reads = actors.serveBulkReads(ROUTE);
        ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
        TransferOptions options = headers.options();
        actors.client.tell(
            new TransportCommand.WriteBulk(
                actors.address(), ROUTE, source(), options, 1, caller.ref()));
        IncomingWrite write = writes.next(IncomingWrite.class);
        write.accept(BulkTarget.withHeaders(headers::response, new BodyTest.Collector()));
        CallReply.Transferred written = caller.next(CallReply.Transferred.class);
        BodyTest.Collector fetched = new BodyTest.Collector();
        actors.client.tell(
            new TransportCommand.ReadBulk(
                actors.address(), ROUTE, fetched, options, 2, caller.ref()));
        IncomingRead read = reads.next(IncomingRead.class);
        read.open(BulkSource.withHeaders(headers.response(), source()));
        CallReply.Transferred got = caller.next(CallReply.Transferred.class);

        assertArrayEquals(headers.request(), write.offer().headers());
        assertArrayEquals(headers.response(), written.receipt().headers());
        assertArrayEquals(headers.request(), read.offer().headers());
        assertArrayEquals(headers.response(), got.receipt().headers());
        assertArrayEquals(PAYLOAD, fetched.bytes.toByteArray());
      }
    };

    abstract void check(NodePair nodes, ActorPair actors, Headers headers);
  }

  private static ArraySource source() {
    return new ArraySource(PAYLOAD, 0, PAYLOAD.length);
  }

  /** The elements of a response, its headers first. */
  private static void answer(ActorEnd caller, ActorEnd answerer, Headers headers) {
    answerer.push(20);
    assertArrayEquals(headers.response(), caller.next(StreamEvent.Headers.class).bytes());
    caller.receive(20);
    answerer.tell(new StreamCommand.Complete());
    caller.next(StreamEvent.Completed.class);
  }

  private static Stream<Arguments> all(TestInfo test) {
    return Combinations.dealt(Pattern.values(), Headers.values(), PatternWorld.all(test));
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldCarryWhatEachActorSays(Pattern pattern, Headers headers, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          pattern.check(nodes, new ActorPair(nodes), headers);
          awaitNothingOpen(nodes);
        });
  }

  private static void assertRefused(ActorEnd caller, CallOutcome outcome, String text) {
    StreamEvent event = caller.nextBesides(StreamEvent.NotWanted.class);
    assertEquals(new StreamEvent.Failed(caller.stream(), Direction.INCOMING, outcome, text), event);
    caller.tell(new StreamCommand.Complete());
  }

  /** Nothing is said ahead of a response that there will not be. */
  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldSendNoHeadersOfAStreamThatIsRefused(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingStream> server = actors.serveBidirectional(ROUTE);
          ActorEnd caller = actors.openBidirectional(ROUTE, TransferOptions.DEFAULTS);
          server.next(IncomingStream.class).stream().tell(new StreamCommand.Fail("not today"));

          assertRefused(caller, CallOutcome.HANDLER_FAILED, "HANDLER_FAILED: not today");
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTellBothActorsThatHeadersAreTooLong(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingStream> server = actors.serveBidirectional(ROUTE);
          ActorEnd caller = actors.openBidirectional(ROUTE, TransferOptions.DEFAULTS);
          ActorEnd answerer = actors.accept(server.next(IncomingStream.class), new byte[16_385]);

          String text = "16385 bytes of headers are more than millrace.limits.headers = 16384";
          assertRefused(caller, CallOutcome.RESPONSE_TOO_LARGE, "RESPONSE_TOO_LARGE: " + text);
          assertEquals(
              Map.of(Direction.OUTGOING, text, Direction.INCOMING, "RESPONSE_TOO_LARGE: " + text),
              answerer.nextFailures());
          awaitNothingOpen(nodes);
        });
  }

  /** The caller may have gone before the stream is accepted; then nobody waits for headers. */
  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldEndAStreamThatIsAcceptedTooLate(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingStream> server = actors.serveStreamingResponse(ROUTE);
          ActorEnd caller =
              actors.open(
                  events ->
                      new TransportCommand.OpenStreamingResponse(
                          actors.address(), UnaryRequest.of(ROUTE, PAYLOAD), events));
          IncomingStream came = server.next(IncomingStream.class);
          caller.tell(new StreamCommand.Cancel());
          awaitNothingOpen(nodes);

          ActorEnd answerer = actors.accept(came, new byte[10]);

          answerer.next(StreamEvent.NotWanted.class);
          awaitNothingOpen(nodes);
        });
  }
}
