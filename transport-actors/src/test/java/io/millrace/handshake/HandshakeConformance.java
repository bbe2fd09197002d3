package io.millrace.handshake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.HandshakeAvailability;
import io.millrace.crypto.HandshakeCredentials;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeLimits;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeProviders;
import io.millrace.crypto.HandshakeRefusal;
import io.millrace.crypto.HandshakeSettings;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The duties of every provider of handshakes, whatever the authentication: each provider has a test
 * class that extends this class and makes the nodes. Over real sockets on 127.0.0.1.
 */
@Timeout(60)
public abstract class HandshakeConformance {
  private static final String HOST = "127.0.0.1";
  private static final long TIMEOUT_NS = 5_000_000_000L;
  private static final long MANY_NS = 50_000_000_000L;
  private static final long SHORT_NS = 700_000_000L;

  private final List<HandshakeNode> opened = new ArrayList<>();

  /** The provider's name in settings. */
  protected abstract String name();

  /** Credentials of a further node of the cluster, at 127.0.0.1. */
  protected abstract HandshakeCredentials credentials() throws Exception;

  /** Credentials of a node of another cluster. */
  protected abstract HandshakeCredentials strangersCredentials() throws Exception;

  protected final HandshakeProvider provider() {
    return HandshakeProviders.discover().named(name());
  }

  protected final HandshakeNode node(HandshakeCredentials credentials, long timeoutNs)
      throws Exception {
    HandshakeNode node = new HandshakeNode(provider(), credentials, HOST, timeoutNs);
    opened.add(node);
    return node;
  }

  protected final HandshakeNode node() throws Exception {
    return node(credentials(), TIMEOUT_NS);
  }

  @AfterEach
  void close() {
    opened.forEach(HandshakeNode::close);
  }

  @Test
  void shouldBeAvailable() {
    assertEquals(new HandshakeAvailability.Available(), provider().probe());
  }

  @Test
  void shouldAgreeOnOneSecretAndOnAnotherTheNextTime() throws Exception {
    HandshakeNode server = node();
    HandshakeNode client = node();
    Set<Long> ids = new HashSet<>();
    for (int i = 1; i <= 5; i++) {
      HandshakeOutcome.Established ours = client.connect(server);
      HandshakeOutcome.Established theirs = HandshakeNode.next(server.paths);

      assertTrue(ids.add(ours.secret().pathId()));
      assertEquals(ours.secret().pathId(), theirs.secret().pathId());
      assertArrayEquals(
          ours.secret().derive("probe", new byte[0], 32),
          theirs.secret().derive("probe", new byte[0], 32));
      assertTrue(ours.isInitiator() && !theirs.isInitiator());
      assertEquals(server.identity(), ours.remoteIdentity());
      assertEquals(client.identity(), theirs.remoteIdentity());
      assertArrayEquals(server.advert(), ours.remoteAdvert());
      assertArrayEquals(client.advert(), ours.localAdvert());
      assertArrayEquals(client.advert(), theirs.remoteAdvert());
      assertArrayEquals(server.advert(), theirs.localAdvert());
      assertTrue(ours.rttNs() > 0 && theirs.rttNs() > 0);
      assertEquals(i, ours.epoch());
      assertEquals(i, theirs.epoch());
    }
  }

  /**
   * Limits count by the identity, so a peer must not get another identity by another port or
   * another name.
   */
  @Test
  void shouldProveOneIdentityOfAllPortsWithTheSameCredentials() throws Exception {
    HandshakeNode server = node();
    HandshakeCredentials same = credentials();
    Set<HandshakeOutcome.ProvedIdentity> callers = new HashSet<>();
    Set<HandshakeOutcome.ProvedIdentity> called = new HashSet<>();
    for (int i = 0; i < 2; i++) {
      called.add(node(same, TIMEOUT_NS).connect(server).peer().identity());
      callers.add(HandshakeNode.next(server.paths).peer().identity());
    }
    assertEquals(1, callers.size(), callers::toString);
    assertEquals(1, called.size(), called::toString);
    assertNotEquals(Set.of(HandshakeOutcome.ProvedIdentity.NONE), callers);
    assertNotEquals(Set.of(HandshakeOutcome.ProvedIdentity.NONE), called);
  }

  @Test
  void shouldRefuseAStrangerAndTakeTheNext() throws Exception {
    HandshakeNode server = node();
    HandshakeNode stranger = node(strangersCredentials(), TIMEOUT_NS);

    assertEquals(HandshakeFailure.WRONG_CREDENTIALS, stranger.fail(server.address()).cause());
    assertTrue(HandshakeNode.next(server.refusals).length() > 10);
    assertEquals(HandshakeFailure.WRONG_CREDENTIALS, server.fail(stranger.address()).cause());
    assertTrue(server.paths.isEmpty() && stranger.paths.isEmpty());

    node().connect(server);
    assertTrue(server.faults.isEmpty(), server.faults.toString());
  }

  @Test
  void shouldRefuseCredentialsOfAnotherKind() {
    HandshakeCredentials other = new HandshakeCredentials() {};
    HandshakeException refusal =
        assertThrows(
            HandshakeException.class, () -> new HandshakeNode(provider(), other, HOST, TIMEOUT_NS));
    assertTrue(String.valueOf(refusal.getMessage()).contains("handshake " + name() + " needs"));
  }

  @Test
  void shouldSayThatItsAddressIsInUse() throws Exception {
    HandshakeNode first = node();
    HandshakeSettings second =
        new HandshakeSettings(
            first.address(), credentials(), 1, TIMEOUT_NS, HandshakeLimits.DEFAULT);
    HandshakeException refusal =
        assertThrows(HandshakeException.class, () -> provider().open(second, first));
    assertEquals(
        "the handshake address " + first.identity() + " is in use or not of this host",
        refusal.getMessage());
  }

  /** The address of a closed node can be opened again. */
  private void assertFree(HandshakeNode closed) throws Exception {
    provider()
        .open(
            new HandshakeSettings(
                closed.address(), credentials(), 1, TIMEOUT_NS, HandshakeLimits.DEFAULT),
            closed)
        .close();
  }

  @Test
  void shouldFreeItsAddressWhenClosed() throws Exception {
    HandshakeNode first = node();
    HandshakeNode client = node();
    client.connect(first);
    first.close();
    first.close();
    assertFree(first);
  }

  @Test
  void shouldFreeItsAddressWhenAnInterruptedThreadClosesIt() throws Exception {
    HandshakeNode first = node();
    Thread.currentThread().interrupt();
    first.close();
    assertTrue(Thread.interrupted());
    assertFree(first);
  }

  @Test
  void shouldTakeNoLongerAdvertThanItSays() throws Exception {
    HandshakeNode client = node();
    byte[] tooLong = new byte[client.handshaker().maxAdvertBytes() + 1];
    assertThrows(IllegalArgumentException.class, () -> client.begin(client.address(), tooLong));
  }

  @Test
  void shouldTellThatNobodyListens() throws Exception {
    HandshakeNode gone = node();
    gone.close();
    HandshakeOutcome.Failed failed = node(credentials(), SHORT_NS).fail(gone.address());
    assertEquals(HandshakeFailure.NO_ANSWER, failed.cause());
    assertTrue(failed.reason().startsWith("nobody listens there"), failed.reason());
  }

  @Test
  void shouldKnowItself() throws Exception {
    HandshakeNode node = node();
    assertEquals(HandshakeFailure.OWN_ADDRESS, node.fail(node.address()).cause());
    assertTrue(node.paths.isEmpty());
  }

  @Test
  void shouldTellWhyNoPeerIsWelcome() throws Exception {
    HandshakeNode server = node();
    HandshakeNode client = node();
    server.refusal = HandshakeRefusal.TOO_MANY_PEERS;
    HandshakeOutcome.Failed full = client.fail(server.address());
    byte[] renewal =
        AdvertCodec.encode(
            Objects.requireNonNull(AdvertCodec.decode(client.advert())), new EarlierPath(7, 0));
    assertInstanceOf(
        HandshakeOutcome.Established.class,
        client.begin(server.address(), renewal).get(60, TimeUnit.SECONDS),
        "a path that has its place may have another secret");
    server.refusal = HandshakeRefusal.SHUTTING_DOWN;
    HandshakeOutcome.Failed ending = client.fail(server.address());
    server.refusal = null;

    assertEquals(
        new HandshakeOutcome.Failed(
            "the peer has as many peers as it allows", HandshakeFailure.REFUSED),
        full);
    assertEquals(
        new HandshakeOutcome.Failed("the peer is shutting down", HandshakeFailure.REFUSED), ending);
    assertEquals("this node has as many peers as it allows", HandshakeNode.next(server.refusals));
    // On a slow machine the client asked more than once while the node had no room.
    assertTrue(
        server.refusals.stream().allMatch("this node has as many peers as it allows"::equals),
        "a node that shuts down says so to nobody else");
    client.connect(server);
  }

  @Test
  void shouldEndWhatIsUnderWayWhenClosed() throws Exception {
    try (SilentPeer silent = SilentPeer.open()) {
      HandshakeNode client = node(credentials(), MANY_NS);
      CompletableFuture<HandshakeOutcome> underWay = client.begin(silent.address());
      client.close();
      assertEquals(
          HandshakeFailure.CLOSED,
          assertInstanceOf(HandshakeOutcome.Failed.class, underWay.get(60, TimeUnit.SECONDS))
              .cause());
      assertEquals(
          HandshakeFailure.CLOSED,
          assertInstanceOf(
                  HandshakeOutcome.Failed.class, client.begin(silent.address()).getNow(null))
              .cause());
    }
  }

  /**
   * Has a single port of UDP and TCP, takes all input and never answers, so that handshakes go on.
   */
  private record SilentPeer(DatagramSocket datagrams, ServerSocket connections)
      implements AutoCloseable {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int MOST_TRIES = 100;

    /** Tries free UDP ports until a port is free for TCP, too. */
    static SilentPeer open() throws IOException {
      for (int i = 1; ; i++) {
        DatagramSocket datagrams = new DatagramSocket(0, LOOPBACK);
        try {
          int port = datagrams.getLocalPort();
          return new SilentPeer(datagrams, new ServerSocket(port, 1, LOOPBACK));
        } catch (IOException e) {
          datagrams.close();
          if (i == MOST_TRIES) {
            throw e;
          }
        }
      }
    }

    InetSocketAddress address() {
      return new InetSocketAddress(LOOPBACK, datagrams.getLocalPort());
    }

    @Override
    public void close() throws IOException {
      try (datagrams) {
        connections.close();
      }
    }
  }

  @Test
  void shouldMakeTwoPathsWhenBothBegin() throws Exception {
    HandshakeNode one = node();
    HandshakeNode other = node();
    CompletableFuture<HandshakeOutcome> ours = one.begin(other.address());
    CompletableFuture<HandshakeOutcome> theirs = other.begin(one.address());

    long first = assertInstanceOf(HandshakeOutcome.Established.class, ours.get()).secret().pathId();
    long second =
        assertInstanceOf(HandshakeOutcome.Established.class, theirs.get()).secret().pathId();
    assertNotEquals(first, second);
    assertEquals(first, HandshakeNode.next(other.paths).secret().pathId());
    assertEquals(second, HandshakeNode.next(one.paths).secret().pathId());
  }

  @Test
  void shouldDoManyAtOnceAndTellOfThemOnOneThread() throws Exception {
    HandshakeNode server = node(credentials(), MANY_NS);
    HandshakeNode client = node(credentials(), MANY_NS);
    List<CompletableFuture<HandshakeOutcome>> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(client.begin(server.address()));
    }
    for (CompletableFuture<HandshakeOutcome> each : all) {
      assertInstanceOf(HandshakeOutcome.Established.class, each.get(60, TimeUnit.SECONDS));
    }
    for (int i = 0; i < all.size(); i++) {
      HandshakeNode.next(server.paths);
    }
    assertEquals(1, client.threads.size());
    assertEquals(1, server.threads.size());
    assertEquals(
        "millrace-handshake-" + server.address().getPort(),
        server.threads.iterator().next().getName());
    assertTrue(client.faults.isEmpty() && server.faults.isEmpty());
  }

  @Test
  void shouldGoOnAfterAListenerThrew() throws Exception {
    HandshakeNode server = node();
    HandshakeNode client = node();
    RuntimeException fault = new IllegalStateException("thrown by the test");
    server.thrown = fault;
    var _ = client.begin(server.address()).get(60, TimeUnit.SECONDS);
    assertEquals(fault, HandshakeNode.next(server.faults));
    server.thrown = null;

    client.connect(server);
    HandshakeNode.next(server.paths);
  }
}
