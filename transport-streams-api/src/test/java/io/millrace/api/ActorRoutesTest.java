package io.millrace.api;

import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.actor.ActorRoutes;
import io.millrace.api.actor.IncomingCall;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Routes served by actors. */
@Timeout(60)
class ActorRoutesTest {
  private static final Route<ByteString, ByteString> ROUTE = Route.bytes("by an actor");
  private static final ByteString ASK = ByteString.fromString("ask");

  /** Returns an actor that answers, refuses or keeps its calls, or stops. */
  private static Behavior<IncomingCall<ByteString, ByteString>> server(
      Queue<IncomingCall<ByteString, ByteString>> kept) {
    return Behaviors.receiveMessage(
        call -> {
          switch (call.request().utf8String()) {
            case "ask" -> {
              call.context().answerHeaders(Headers.of("by", "actor"));
              call.answer(ByteString.fromString("answer"));
            }
            case "refuse" -> call.fail("no");
            case "stop" -> {
              return Behaviors.stopped();
            }
            default -> kept.add(call);
          }
          return Behaviors.same();
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"UDP_NIO", "SIMULATED"})
  void shouldAnswerUntilItsActorStops(World world) throws Exception {
    world.run(
        StreamChecks.CLEAN,
        (nodes, driver) -> {
          Queue<IncomingCall<ByteString, ByteString>> kept = new ConcurrentLinkedQueue<>();
          ActorSystem<?> system = nodes.server().pool().system();
          ActorRef<IncomingCall<ByteString, ByteString>> server =
              system.systemActorOf(server(kept), "server", Props.empty());
          Registration registration = ActorRoutes.serve(nodes.server(), system, ROUTE, server);
          Peer peer = nodes.peer();

          Response<ByteString> answer = await(nodes, peer.unary(ROUTE, ASK).response());
          assertEquals("answer", answer.value().utf8String());
          assertEquals("actor", answer.headers().text("by").orElseThrow());
          CallException refused =
              failure(nodes, peer.unary(ROUTE, ByteString.fromString("refuse")));
          assertEquals(CallOutcome.HANDLER_FAILED, refused.outcome());
          assertEquals("no", refused.reason());
          assertEquals("no", refused.peerCause().orElseThrow());

          Call<ByteString> unwanted = peer.unary(ROUTE, ByteString.fromString("keep"));
          assertTrue(nodes.awaitUntil(() -> kept.size() == 1));
          unwanted.cancel(false);
          assertTrue(nodes.awaitUntil(() -> kept.element().isUnwanted()), "the caller is gone");

          Call<ByteString> waiting = peer.unary(ROUTE, ByteString.fromString("keep"));
          assertTrue(nodes.awaitUntil(() -> kept.size() == 2));
          var _ = peer.unary(ROUTE, ByteString.fromString("stop"));
          String stopped = "the actor of the route 'by an actor' has stopped";
          assertEquals(stopped, failure(nodes, waiting).peerCause().orElseThrow());
          // Begin the second call only now: two calls under way may arrive in any order.
          assertEquals(stopped, failure(nodes, peer.unary(ROUTE, ASK)).peerCause().orElseThrow());

          registration.close();
          CallOutcome outcome = failure(nodes, peer.unary(ROUTE, ASK)).outcome();
          assertEquals(CallOutcome.UNKNOWN_ROUTE, outcome);
          assertEquals(0, nodes.server().snapshot().handlerFaults());
        });
  }
}
