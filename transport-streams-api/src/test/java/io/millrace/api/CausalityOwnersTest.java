package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.DependencyKind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The calls of an actor fail when the actor dies; impossible quorums are refused. Over real
 * sockets.
 */
class CausalityOwnersTest {
  private static final Route<byte[], byte[]> QUICK =
      Route.of("quick", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final byte[] NOTHING = {};

  private final TwoNodes nodes = new TwoNodes("");

  CausalityOwnersTest() {
    nodes.server.serve(QUICK, CompletableFuture::completedFuture);
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private Call<byte[]> after(CausalityToken token, DependencyKind kind) {
    return nodes.peer().unary(QUICK, NOTHING, TransferOptions.DEFAULTS.after(token, kind));
  }

  @Test
  void shouldFailWithTheActorThatOwnsIt() throws Exception {
    Behavior<String> owner =
        Behaviors.receiveMessage(
            word -> {
              throw new IllegalStateException("planned: " + word);
            });
    ActorRef<String> actor =
        nodes.client.pool().system().systemActorOf(owner, "owner", Props.empty());
    CausalityToken token = nodes.client.causalityScope().closeWith(actor).begin();
    Call<byte[]> critical = after(token, DependencyKind.CRITICAL);
    Call<byte[]> optional = after(token, DependencyKind.OPTIONAL);

    actor.tell("die");

    assertEquals(0, nodes.await(optional).length);
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> nodes.await(critical));
    CallException told = assertInstanceOf(CallException.class, failure.getCause());
    assertEquals(CallOutcome.DEPENDENCY_FAILED, told.outcome());
    assertEquals(token, told.failedDependency().orElseThrow());
    assertEquals(CallOutcome.Execution.NO, told.wasExecuted());
  }

  @Test
  void shouldRefuseQuorumsThatCannotBe() {
    try (CausalityScope scope = nodes.client.causalityScope()) {
      List<CausalityToken> tokens = List.of(scope.begin(), scope.begin());
      for (int needed : new int[] {0, 3}) {
        assertThrows(IllegalArgumentException.class, () -> nodes.client.quorum(needed, tokens));
        assertThrows(
            IllegalArgumentException.class,
            () -> TransferOptions.DEFAULTS.afterQuorum(needed, tokens));
      }
    }
  }
}
