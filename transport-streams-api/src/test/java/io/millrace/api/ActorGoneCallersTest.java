package io.millrace.api;

import static io.millrace.api.StreamChecks.ROUTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.actor.IncomingStream;
import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An actor that serves a stream of requests hears that its one response is not wanted. */
@Timeout(120)
class ActorGoneCallersTest {
  private static final int COUNT = 5;

  /** How a caller leaves. */
  enum Way {
    CANCEL,
    DEADLINE,
    CLOSE;

    /** A deadline is so long that the requests are there before, on a slow machine too. */
    TransferOptions options() {
      TransferOptions usual = StreamChecks.options();
      return this == DEADLINE ? usual.withDeadline(Duration.ofSeconds(3)) : usual;
    }

    void leave(NodePair nodes, ActorEnd caller) {
      switch (this) {
        case CANCEL -> caller.tell(new StreamCommand.Cancel());
        case DEADLINE -> {}
        case CLOSE -> nodes.client().close();
      }
    }
  }

  private static Stream<Arguments> ways(TestInfo test) {
    return Combinations.dealt(Way.values(), PatternWorld.all(test));
  }

  /** A stream of requests that are all sent. */
  private static final class Sent {
    private final ActorPair actors;
    private final ActorInbox<StreamEvent> events;
    private final ActorEnd caller;
    private final IncomingStream came;

    Sent(NodePair nodes, Way way) {
      actors = new ActorPair(nodes);
      events = new ActorInbox<>(nodes, nodes.server());
      ActorInbox<IncomingStream> server = actors.serveStreamingRequest(ROUTE);
      caller = actors.openStreamingRequest(ROUTE, way.options());
      came = server.next(IncomingStream.class);
      caller.push(COUNT);
      caller.tell(new StreamCommand.Complete());
    }

    ActorEnd accept() {
      return actors.accept(came, events);
    }
  }

  private static void assertNothingOpen(NodePair nodes) {
    assertTrue(nodes.awaitUntil(() -> StreamCensus.open(nodes.server()) == 0));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldTellAfterTheLastRequest(Way way, PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Sent sent = new Sent(nodes, way);
          ActorEnd answerer = sent.accept();
          answerer.receive(COUNT);
          answerer.next(StreamEvent.Completed.class);

          way.leave(nodes, sent.caller);

          answerer.next(StreamEvent.NotWanted.class);
          answerer.tell(new StreamCommand.Respond(UnaryResponse.of(new byte[2])));
          assertNothingOpen(nodes);
          assertStopped(nodes, sent);
        });
  }

  /** The stream's actor is gone, and has told nothing more. */
  private static void assertStopped(NodePair nodes, Sent sent) {
    ActorInbox<String> watching = new ActorInbox<>(nodes, nodes.server());
    watching.watch(sent.came.stream(), "stopped");
    watching.next(String.class);
    sent.events.assertEmpty();
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTellWhileRequestsWaitAndGiveThemAllTheSame(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Sent sent = new Sent(nodes, Way.CANCEL);
          ActorEnd answerer = sent.accept();
          answerer.receive(1);
          awaitRequests(nodes);

          Way.CANCEL.leave(nodes, sent.caller);

          answerer.next(StreamEvent.NotWanted.class);
          answerer.receive(COUNT - 1);
          answerer.next(StreamEvent.Completed.class);
          assertNothingOpen(nodes);
          assertStopped(nodes, sent);
        });
  }

  /** Waits until all requests are at the server: what comes later is lost with its caller. */
  private static void awaitRequests(NodePair nodes) {
    long bytes = 0;
    for (int i = 0; i < COUNT; i++) {
      bytes += StreamChecks.element(i).length;
    }
    long all = bytes;
    assertTrue(
        nodes.awaitUntil(
            () ->
                nodes.server().snapshot().workers().stream()
                        .mapToLong(each -> each.transfers().payloadBytesDelivered())
                        .sum()
                    >= all));
  }

  /** Whether the serving actor takes the requests of a caller that is gone. */
  enum Taking {
    REQUESTS {
      @Override
      void take(ActorEnd answerer) {
        answerer.receive(COUNT);
        answerer.next(StreamEvent.Completed.class);
      }
    },
    NOTHING {
      @Override
      void take(ActorEnd answerer) {
        answerer.tell(new StreamCommand.Cancel());
      }
    };

    abstract void take(ActorEnd answerer);
  }

  private static Stream<Arguments> takings(TestInfo test) {
    return Combinations.dealt(Taking.values(), PatternWorld.all(test));
  }

  @ParameterizedTest
  @MethodSource("takings")
  void shouldTellWhoAcceptsAStreamWhoseCallerIsGone(Taking taking, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          Sent sent = new Sent(nodes, Way.CANCEL);
          awaitRequests(nodes);
          Way.CANCEL.leave(nodes, sent.caller);
          assertTrue(nodes.awaitUntil(() -> StreamCensus.open(nodes.client()) == 0));

          ActorEnd answerer = sent.accept();

          answerer.next(StreamEvent.NotWanted.class);
          taking.take(answerer);
          assertNothingOpen(nodes);
          assertStopped(nodes, sent);
        });
  }

  /** How a serving actor ends its response. */
  enum Ending {
    RESPOND,
    FAIL;

    StreamCommand command() {
      return switch (this) {
        case RESPOND -> new StreamCommand.Respond(UnaryResponse.of(new byte[2]));
        case FAIL -> new StreamCommand.Fail("no response today");
      };
    }
  }

  private static Stream<Arguments> endings(TestInfo test) {
    return Combinations.dealt(Ending.values(), PatternWorld.all(test));
  }

  @ParameterizedTest
  @MethodSource("endings")
  void shouldTellNothingOfAResponseThatIsOver(Ending ending, PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Sent sent = new Sent(nodes, Way.CANCEL);
          ActorEnd answerer = sent.accept();
          answerer.receive(COUNT);
          answerer.next(StreamEvent.Completed.class);

          answerer.tell(ending.command());

          StreamEvent heard = sent.caller.nextBesides(StreamEvent.NotWanted.class);
          assertEquals(
              ending == Ending.RESPOND ? StreamEvent.Responded.class : StreamEvent.Failed.class,
              heard.getClass());
          Way.CANCEL.leave(nodes, sent.caller);
          assertNothingOpen(nodes);
          assertStopped(nodes, sent);
        });
  }

  /** Both of its ends are told, in either order. */
  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTellOfACallerThatLeavesBeforeItsLastRequest(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingStream> server = actors.serveStreamingRequest(ROUTE);
          ActorEnd caller = actors.openStreamingRequest(ROUTE, StreamChecks.options());
          ActorEnd answerer = actors.accept(server.next(IncomingStream.class));
          caller.push(COUNT);
          answerer.receive(COUNT);

          Way.CANCEL.leave(nodes, caller);

          Set<Class<?>> told = new HashSet<>();
          told.add(answerer.next(StreamEvent.class).getClass());
          told.add(answerer.next(StreamEvent.class).getClass());
          assertEquals(Set.of(StreamEvent.Failed.class, StreamEvent.NotWanted.class), told);
          assertNothingOpen(nodes);
        });
  }

  /** A stream that is over before anybody has accepted it. */
  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldEndAStreamThatIsAnsweredAndNotAccepted(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Sent sent = new Sent(nodes, Way.CANCEL);

          sent.came.stream().tell(new StreamCommand.Cancel());
          sent.came.stream().tell(Ending.RESPOND.command());

          sent.caller.next(StreamEvent.Responded.class);
          assertNothingOpen(nodes);
          assertStopped(nodes, sent);
        });
  }
}
