package io.millrace.api;

import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.failure;
import static java.util.concurrent.CompletableFuture.completedStage;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.access.AccessDecision;
import io.millrace.access.AccessPolicy;
import io.millrace.access.CallPattern;
import io.millrace.access.PeerIdentity;
import io.millrace.access.RouteUse;
import io.millrace.body.ArraySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node's policy decides which peers connect and which routes each peer calls; rules.
 */
@Timeout(120)
class AccessTest {
  private static final RouteId OPEN = RouteId.of("open");
  private static final String REASON = "only on Sundays";
  private static final int[] LENGTHS = {0, 1_000, 300_000};

  /** A policy that answers as the test has set, and records the questions. */
  private static final class Policy implements AccessPolicy {
    private final ConcurrentLinkedQueue<RouteUse> asked = new ConcurrentLinkedQueue<>();
    private volatile AccessDecision closed = AccessDecision.denied(REASON);
    private volatile AccessDecision connections = AccessDecision.ALLOWED;

    @Override
    public AccessDecision connect(PeerIdentity peer) {
      return connections;
    }

    @Override
    public AccessDecision call(PeerIdentity peer, RouteUse use) {
      asked.add(use);
      return use.route().equals(OPEN.name()) ? AccessDecision.ALLOWED : closed;
    }
  }

  private final Policy policy = new Policy();
  private final List<NodePair> started = new ArrayList<>();

  private TwoNodes start(String overrides, AccessPolicy chosen) {
    TwoNodes nodes =
        new TwoNodes(overrides, builder -> builder.authorise(chosen), builder -> builder);
    started.add(nodes);
    Raw.serve(nodes.server(), OPEN, call -> completedStage(UnaryResponse.of(call.payload())));
    return nodes;
  }

  @AfterEach
  void stop() {
    started.forEach(NodePair::close);
  }

  private static void assertOpen(NodePair nodes) throws Exception {
    byte[] payload = {1, 2, 3};
    assertArrayEquals(payload, await(nodes, Raw.unary(nodes.peer(), OPEN, payload)).payload());
  }

  private static void assertDenied(CallException failed, String reason) {
    assertEquals(CallOutcome.NOT_AUTHORISED, failed.outcome());
    assertEquals(reason, failed.reason());
    assertEquals(CallOutcome.Execution.NO, failed.outcome().execution());
  }

  /** Denies inline requests and bodies, ahead of the acceptor and of the handler. */
  @ParameterizedTest
  @EnumSource(AcceptorPattern.class)
  void shouldDenyARouteAndServeAnother(AcceptorPattern pattern) throws Exception {
    TwoNodes nodes = start("", policy);
    AcceptorPattern.Served served = new AcceptorPattern.Served();
    pattern.serve(nodes, served::accept, served);
    for (int length : LENGTHS) {
      assertDenied(failure(nodes, pattern.request(nodes, new byte[length])), REASON);
      assertOpen(nodes);
    }
    assertEquals(List.of(), List.copyOf(served.seen));
    StreamChecks.awaitNothingOpen(nodes);
    long told =
        nodes.serverEvents().lines().stream()
            .filter(each -> each.startsWith("AccessDenied"))
            .count();
    assertEquals(2, told, "the first and the second of three");
    assertEquals(2, policy.asked.size(), () -> "asked once for each route: " + policy.asked);
  }

  @Test
  void shouldDenyBulkAndBroadcastWithoutTheirBytes() throws Exception {
    TwoNodes nodes = start("", policy);
    AtomicInteger seen = new AtomicInteger();
    byte[] payload = new byte[1_000_000];
    Raw.serveBulkReads(
        nodes.server(),
        ROUTE,
        offer -> {
          seen.incrementAndGet();
          return completedStage(new ArraySource(payload, 0, payload.length));
        });
    Raw.serveBulkWrites(
        nodes.server(),
        ROUTE,
        offer -> {
          seen.incrementAndGet();
          return completedStage(AccessLab.nowhere());
        });
    assertDenied(
        failure(
            nodes,
            Raw.bulkRead(nodes.peer(), ROUTE, AccessLab.nowhere(), TransferOptions.DEFAULTS)),
        REASON);
    ArraySource source = new ArraySource(payload, 0, payload.length);
    assertDenied(
        failure(nodes, Raw.bulkWrite(nodes.peer(), ROUTE, source, TransferOptions.DEFAULTS)),
        REASON);
    Broadcast broadcast =
        Raw.broadcast(
            nodes.client(),
            ROUTE,
            new ArraySource(payload, 0, payload.length),
            new byte[0],
            List.of(Destination.of(nodes.peer())));
    assertEquals(
        List.of(CallOutcome.NOT_AUTHORISED),
        await(nodes, broadcast.outcomes()).stream().map(DeliveryOutcome::outcome).toList());
    assertEquals(0, seen.get());
    assertEquals(
        List.of(
            new RouteUse(ROUTE.name(), CallPattern.BULK_READ),
            new RouteUse(ROUTE.name(), CallPattern.BULK_WRITE)),
        List.copyOf(policy.asked));
    assertOpen(nodes);
    StreamChecks.awaitNothingOpen(nodes);
  }

  /** The node keeps a decision until the test reports a change of the policy. */
  @Test
  void shouldDecideAnewWhenThePolicyHasChanged() throws Exception {
    TwoNodes nodes = start("", policy);
    Raw.serve(nodes.server(), ROUTE, call -> completedStage(UnaryResponse.of(call.payload())));
    assertDenied(failure(nodes, Raw.unary(nodes.peer(), ROUTE, new byte[0])), REASON);
    policy.closed = AccessDecision.ALLOWED;
    assertDenied(failure(nodes, Raw.unary(nodes.peer(), ROUTE, new byte[0])), REASON);
    nodes.server().reviewAccess();
    await(nodes, Raw.unary(nodes.peer(), ROUTE, new byte[0]));
    policy.connections = AccessDecision.denied("gone");
    nodes.server().reviewAccess();
    assertDenied(failure(nodes, Raw.unary(nodes.peer(), OPEN, new byte[0])), "gone");
  }

  @Test
  void shouldDenyWhenThePolicyThrows() throws Exception {
    TwoNodes nodes =
        start(
            "",
            (peer, use) -> {
              throw new StackOverflowError("no end");
            });
    assertDenied(
        failure(nodes, Raw.unary(nodes.peer(), OPEN, new byte[0])),
        "the policy of this node could not decide");
    assertEquals(1, nodes.serverEvents().count("AccessPolicyFault"));
  }

  /** A peer called by this node may call back only the routes that the policy allows. */
  @Test
  void shouldDenyCallsOfAPeerThatThisNodeCalled() throws Exception {
    TwoNodes nodes = start("", policy);
    policy.connections = AccessDecision.denied("no guests");
    Raw.serve(nodes.client(), OPEN, call -> completedStage(UnaryResponse.of(call.payload())));
    Peer client = nodes.server().peer(nodes.client().address());
    await(nodes, Raw.unary(client, OPEN, new byte[0]));
    assertDenied(failure(nodes, Raw.unary(nodes.peer(), OPEN, new byte[0])), "no guests");
  }

  @ParameterizedTest
  @ValueSource(strings = {"psk", "tls", "quic"})
  void shouldTellAPeerThatMayNotConnect(String provider) throws Exception {
    policy.connections = AccessDecision.denied("no guests");
    try (AccessLab lab = new AccessLab(provider);
        Transport server = lab.start("server", policy);
        Transport client = lab.start("client", AccessPolicy.ALL)) {
      CallException failed =
          lab.failure(Raw.unary(client.peer(server.address()), OPEN, new byte[0]));
      assertEquals(CallOutcome.HANDSHAKE_FAILED, failed.outcome());
      // A datagram of the pre-shared key has no room for a reason.
      String told = provider.equals("psk") ? "" : ": no guests";
      assertTrue(
          String.valueOf(failed.getMessage())
              .contains("the peer does not authorise this node" + told),
          failed.getMessage());
    }
  }

  /** Handlers, acceptors and bulk receivers see names and key of the caller's certificate. */
  @ParameterizedTest
  @ValueSource(strings = {"psk", "tls", "quic"})
  void shouldShowTheProvedIdentityToWhoeverServes(String provider) throws Exception {
    try (AccessLab lab = new AccessLab(provider);
        Transport server = lab.start("server", AccessPolicy.ALL);
        Transport client = lab.start("client", AccessPolicy.ALL)) {
      List<PeerIdentity> seen = lab.identitiesSeenBy(server, client);
      PeerIdentity expected = lab.identityOf("client", client.address());
      assertEquals(List.of(expected, expected, expected, expected, expected), seen);
    }
  }

  /** {@code millrace.access}: a call without an allowing rule is denied. */
  @Test
  void shouldDenyWhatNoRuleOfTheSettingsAllows() throws Exception {
    TwoNodes nodes =
        start(
            """
            millrace.access.rules = [
              { peers = ["*.db.example.org"] }
              { peers = ["psk:"], routes = ["o*n"], patterns = [unary] }
            ]
            """,
            AccessPolicy.ALL);
    Raw.serve(nodes.server(), ROUTE, call -> completedStage(UnaryResponse.of(call.payload())));
    assertOpen(nodes);
    assertDenied(
        failure(nodes, Raw.unary(nodes.peer(), ROUTE, new byte[0])),
        "no rule of millrace.access allows unary of route streams to "
            + PeerIdentity.ofPreSharedKey(nodes.client().address()));
  }
}
