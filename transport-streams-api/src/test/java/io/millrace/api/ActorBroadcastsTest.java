package io.millrace.api;

import static io.millrace.api.StreamChecks.HEADERS;
import static io.millrace.api.StreamChecks.ROUTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.actor.CallReply;
import io.millrace.api.actor.CallReply.RecipientOutcome;
import io.millrace.api.actor.IncomingWrite;
import io.millrace.api.actor.TransportCommand;
import io.millrace.api.actor.TransportCommand.Recipient;
import io.millrace.protocol.transfer.CallOutcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An actor sends one payload to many, and hears in one reply how it went to each. */
@Timeout(120)
class ActorBroadcastsTest {
  private static final int LENGTH = 70_000;
  private static final Recipient NOWHERE = Recipient.of("nowhere");

  private static void broadcast(
      ActorPair actors,
      List<Recipient> recipients,
      KnownSource source,
      byte[] headers,
      ActorInbox<CallReply> caller) {
    actors.client.tell(
        new TransportCommand.Broadcast(recipients, ROUTE, source, headers, 7, caller.ref()));
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTellHowItWentToEachRecipientInOrder(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingWrite> writes = actors.serveBulkWrites(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          KnownSource source = KnownSource.free(5, LENGTH, true);
          Recipient server = Recipient.of(actors.address());
          Recipient tooLow = new Recipient(actors.address(), 9, Duration.ZERO);

          broadcast(actors, List.of(server, NOWHERE, tooLow, server), source, HEADERS, caller);
          receive(nodes, writes.next(IncomingWrite.class));
          receive(nodes, writes.next(IncomingWrite.class));

          CallReply.Delivered delivered = caller.next(CallReply.Delivered.class);
          RecipientOutcome whole =
              new RecipientOutcome(actors.address(), CallOutcome.OK, LENGTH, "");
          assertEquals(7, delivered.correlation());
          assertEquals(4, delivered.outcomes().size());
          assertEquals(whole, delivered.outcomes().getFirst());
          assertFailed("nowhere", "nowhere", delivered.outcomes().get(1));
          assertFailed(actors.address(), "priority 9", delivered.outcomes().get(2));
          assertEquals(whole, delivered.outcomes().getLast());
          assertTrue(nodes.awaitUntil(() -> source.closed() == 1));
          Remains.awaitNone(nodes, world);
          caller.assertEmpty();
          writes.assertEmpty();
        });
  }

  private static void receive(NodePair nodes, IncomingWrite write) throws Exception {
    BodyTest.Collector stored = new BodyTest.Collector();
    assertArrayEquals(HEADERS, write.offer().headers());
    write.accept(stored);
    assertTrue(nodes.await(stored.end));
    byte[] expected = new byte[LENGTH];
    KnownBytes.fill(5, 0, expected, 0, LENGTH);
    assertArrayEquals(expected, stored.bytes.toByteArray());
  }

  private static void assertFailed(String peer, String text, RecipientOutcome outcome) {
    assertEquals(peer, outcome.peer());
    assertEquals(CallOutcome.HANDLER_FAILED, outcome.outcome());
    assertEquals(0, outcome.bytes());
    assertTrue(outcome.text().contains(text), outcome.text());
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTellOfRecipientsThatFail(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<IncomingWrite> writes = actors.serveBulkWrites(ROUTE);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          KnownSource source = KnownSource.free(5, LENGTH, true);
          Recipient server = Recipient.of(actors.address());

          broadcast(actors, List.of(server, server), source, HEADERS, caller);
          writes.next(IncomingWrite.class).fail("no room today");
          writes.next(IncomingWrite.class).fail("no room today");

          for (RecipientOutcome each : caller.next(CallReply.Delivered.class).outcomes()) {
            assertEquals(CallOutcome.REFUSED, each.outcome());
            assertTrue(each.text().contains("no room today"), each.text());
          }
          assertTrue(nodes.awaitUntil(() -> source.closed() == 1));
          Remains.awaitNone(nodes, world);
          caller.assertEmpty();
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldCloseTheSourceOfABroadcastToNobody(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          KnownSource one = KnownSource.free(5, LENGTH, true);
          KnownSource other = KnownSource.free(6, LENGTH, true);

          broadcast(actors, List.of(NOWHERE), one, HEADERS, caller);
          CallReply.Delivered toNobody = caller.next(CallReply.Delivered.class);
          broadcast(actors, List.of(), other, HEADERS, caller);
          CallReply.Delivered toNone = caller.next(CallReply.Delivered.class);

          assertEquals(1, toNobody.outcomes().size());
          assertFailed("nowhere", "nowhere", toNobody.outcomes().getFirst());
          assertEquals(List.of(), toNone.outcomes());
          assertTrue(nodes.awaitUntil(() -> one.closed() == 1 && other.closed() == 1));
          Remains.awaitNone(nodes, world);
          caller.assertEmpty();
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldFailABroadcastThatCannotBegin(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          ActorPair actors = new ActorPair(nodes);
          ActorInbox<CallReply> caller = new ActorInbox<>(nodes, nodes.client());
          KnownSource source = KnownSource.free(5, LENGTH, true);
          Recipient server = Recipient.of(actors.address());

          broadcast(actors, List.of(server), source, new byte[100_000], caller);

          CallReply.Failed failed = caller.next(CallReply.Failed.class);
          assertEquals(7, failed.correlation());
          assertEquals(CallOutcome.HANDLER_FAILED, failed.outcome());
          assertTrue(failed.text().contains("millrace.limits.headers"), failed.text());
          assertTrue(nodes.awaitUntil(() -> source.closed() == 1));
          Remains.awaitNone(nodes, world);
          caller.assertEmpty();
        });
  }
}
