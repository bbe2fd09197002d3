package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.many.ManyCalls;
import io.millrace.api.many.PeerAnswer;
import io.millrace.api.many.QuorumException;
import io.millrace.api.many.Rest;
import io.millrace.transfer.CallOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A request to several peers: one peer is slow, and one peer does not exist. */
@Timeout(60)
final class QuorumCallsTest {
  private static final Route<ByteString, ByteString> VOTE = Route.bytes("vote");
  private static final ByteString ASK = ByteString.fromString("ask");

  private final CompletableFuture<ByteString> slow = new CompletableFuture<>();
  private final AtomicInteger asked = new AtomicInteger();

  /** The first call is answered, the second call is not. */
  private void serve(NodePair nodes) {
    nodes
        .server()
        .serve(
            VOTE,
            vote -> asked.getAndIncrement() == 0 ? CompletableFuture.completedFuture(vote) : slow);
  }

  private static ManyCalls<ByteString> call(List<Peer> peers) {
    return ManyCalls.unary(peers, VOTE, ASK, TransferOptions.DEFAULTS);
  }

  @Test
  void shouldNotWaitForTheSlowestAndCancelTheRest() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      serve(nodes);
      ManyCalls<ByteString> calls = call(List.of(nodes.peer(), nodes.peer()));
      List<PeerAnswer<ByteString>> first = nodes.await(calls.quorum(1, Rest.CANCEL));
      assertEquals(List.of(ASK), first.stream().map(each -> each.answer().orElseThrow()).toList());
      assertTrue(nodes.awaitUntil(slow::isCancelled), "the slow handler goes on");
      List<PeerAnswer<ByteString>> all = nodes.await(calls.all());
      assertEquals(
          1, all.stream().filter(each -> each.failure().isPresent()).count(), all.toString());
    }
  }

  @Test
  void shouldLeaveTheRestAndGiveItsAnswersLater() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      serve(nodes);
      ManyCalls<ByteString> calls = call(List.of(nodes.peer(), nodes.peer()));
      nodes.await(calls.quorum(1, Rest.LEAVE));
      assertFalse(calls.all().isDone());
      slow.complete(ByteString.fromString("late"));
      assertTrue(nodes.await(calls.all()).stream().allMatch(PeerAnswer::isSuccess));
    }
  }

  @Test
  void shouldFailAsSoonAsTheQuorumIsOutOfReach() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      serve(nodes);
      Peer nobody = nodes.client().peer("127.0.0.1:9");
      ManyCalls<ByteString> calls = call(List.of(nodes.peer(), nobody, nobody));
      ExecutionException thrown =
          assertThrows(ExecutionException.class, () -> nodes.await(calls.quorum(2, Rest.CANCEL)));
      QuorumException failed = assertInstanceOf(QuorumException.class, thrown.getCause());
      assertEquals(2, failed.failures().size());
      assertEquals(CallOutcome.HANDSHAKE_FAILED, failed.failures().getFirst().outcome());
      String text = String.valueOf(failed.getMessage());
      assertTrue(text.startsWith("2 of 3 answers are needed, and these calls failed: "), text);
      assertTrue(text.contains("127.0.0.1:9"), text);
      assertThrows(IllegalArgumentException.class, () -> calls.quorum(4, Rest.LEAVE));
    }
  }
}
