package io.millrace.samples.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.samples.store.StoreRoutes.Heartbeat;
import io.millrace.samples.store.StoreRoutes.Register;
import io.millrace.samples.store.StoreRoutes.Request;
import io.millrace.transfer.CallOutcome;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nobody registers, lives, or claims in the name of another daemon. */
class StoreNamesTest extends StoreNodes {
  private <Q> void assertRefused(Peer at, Route<Q, ?> route, Q request) {
    ExecutionException failed =
        assertThrows(
            ExecutionException.class, () -> at.unary(route, request).get(20, TimeUnit.SECONDS));
    CallException call = assertInstanceOf(CallException.class, failed.getCause());
    assertEquals(CallOutcome.HANDLER_FAILED, call.outcome());
    assertTrue(
        String.valueOf(call.getMessage()).contains("a daemon acts in its own name, and "),
        call.getMessage());
  }

  @Test
  void shouldTakeADaemonsWordForItselfAlone() throws Exception {
    Node first = daemon();
    String artifact = put(first, "model", new SeededBytes(7, MIB));
    Manifest manifest = client().manifest(artifact);
    KeyedRanges ranges = KeyedRanges.ofChunks("key", manifest);
    String victim = first.transport().address();
    Peer at = atClient.peer(coordinatorAddress());

    assertRefused(
        at,
        StoreRoutes.REGISTER,
        new Register("p", victim, null, manifest, MemoryKind.RAM, ranges, 1));
    assertRefused(at, StoreRoutes.HEARTBEAT, new Heartbeat(victim, false, true, List.of()));
    assertRefused(at, StoreRoutes.REQUEST, new Request(artifact, victim, List.of()));

    assertEquals(1, client().list().artifacts().getFirst().holders().size());
    assertTrue(client().list().artifacts().getFirst().holders().getFirst().isLive());
  }
}
