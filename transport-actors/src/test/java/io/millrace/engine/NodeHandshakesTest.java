package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.access.PeerIdentity;
import io.millrace.access.admission.NodeAccess;
import io.millrace.actor.WorkerCommand;
import io.millrace.body.BodyServices;
import io.millrace.buffer.BlockClass;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferSettings;
import io.millrace.config.Addresses;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeRefusal;
import io.millrace.crypto.Handshaker;
import io.millrace.crypto.PathSecret;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.InlineBudget;
import io.millrace.event.RecordingEvents;
import io.millrace.handshake.Advert;
import io.millrace.handshake.AdvertCodec;
import io.millrace.handshake.AdvertisedEndpoint;
import io.millrace.handshake.AdvertisedNic;
import io.millrace.handshake.CreditTerms;
import io.millrace.handshake.KeyLog;
import io.millrace.loop.LoopCounters;
import io.millrace.nic.EndpointDescription;
import io.millrace.nic.NicShare;
import io.millrace.path.packet.PathToken;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.packet.WorkerEnd;
import io.millrace.path.peer.CallLimits;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.protocol.health.HealthListener;
import io.millrace.protocol.health.HealthSettings;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.wire.codec.CloseReason;
import io.millrace.worker.WorkerDescription;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node's treatment of handshakes with a restarting peer: rule L-3. */
class NodeHandshakesTest {
  private static final int WORKERS = 2;
  private static final int PEERS = 10;
  private static final long OWN = 5;
  private static final long HOST = 8;
  private static final String PEER = "10.0.0.1:7400";
  private static final byte[] NO_CONTEXT = {};
  private static final EndpointAddress ENDPOINT = new EndpointAddress("fake", new byte[] {1});
  private static final TransportSettings SETTINGS =
      TransportSettings.parse(
          "millrace { workers.count = 2, handshake { timeout = 2s, provider = psk, psk = \""
              + "1f".repeat(32)
              + "\" } }");

  private final ActorTestKit kit = ActorTestKit.create(ManualTime.config());
  private final ManualTime time = ManualTime.get(kit.system());
  private final RecordingEvents events = new RecordingEvents(1_000);
  private final InlineBudget budget =
      new InlineBudget(SETTINGS.limits(), SETTINGS.nic().maxDatagramBytes());
  private final List<TestInbox<WorkerCommand>> workers = new ArrayList<>();
  private final List<Consumer<HandshakeOutcome>> attempts = new ArrayList<>();
  private final PeerDirectory directory;
  private final NodeHandshakes handshakes;
  private final Path keys;
  private byte secrets;

  NodeHandshakesTest(@TempDir Path folder) throws IOException {
    keys = folder.resolve("keys");
    List<SubmissionPort> ports = new ArrayList<>();
    List<WorkerDescription> descriptions = new ArrayList<>();
    for (int worker = 0; worker < WORKERS; worker++) {
      workers.add(TestInbox.create("worker-" + worker));
      ports.add(new SubmissionPort(worker, SETTINGS));
      descriptions.add(
          new WorkerDescription(
              worker,
              "",
              -1,
              ENDPOINT,
              1_400,
              new LoopCounters(),
              new EndpointCounters(),
              List.of(
                  new EndpointDescription(
                      "nic",
                      AdvertisedNic.ONLY,
                      "fake",
                      ENDPOINT,
                      new EndpointCounters(),
                      new NicShare(SETTINGS.nic().rates(), 1))),
              SETTINGS.nic().link()));
    }
    directory =
        new PeerDirectory(
            ports,
            CallLimits.of(10),
            PEERS,
            peer -> new SharedPeerHealth(peer, HealthSettings.DEFAULT, HealthListener.NONE));
    handshakes =
        new NodeHandshakes(shared(budget), directory, OWN, HOST, kit.system(), KeyLog.open(keys));
    handshakes.onWorkersStarted(
        descriptions, workers.stream().map(each -> new WorkerRef(each.getRef())).toList());
    handshakes.onListening(new NoNetwork(), "10.0.0.9:7400");
  }

  private WorkerContext.Terms shared(InlineBudget budget) {
    AeadProvider aead = AeadProviders.discover().select(1 << 16);
    BodyServices bodies =
        new BodyServices(
            new ExecutorLane(Runnable::run, 16, 1),
            new BufferRegistry(new BufferSettings(List.of(new BlockClass(1 << 16, 1)), 1 << 16)),
            SETTINGS.transfers(),
            aead,
            aead,
            SETTINGS.crypto(),
            new Random(1));
    return new WorkerContext.Terms(
        SETTINGS,
        events,
        aead,
        budget,
        bodies,
        new PathToken.Maker(new byte[32]),
        NodeAccess.open());
  }

  private List<Long> loggedPaths() throws IOException {
    return KeyLog.read(keys).stream().map(each -> each.secret().pathId()).toList();
  }

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  private final class NoNetwork implements Handshaker {
    @Override
    public InetSocketAddress localAddress() {
      return new InetSocketAddress(0);
    }

    @Override
    public void connect(
        InetSocketAddress remote, byte[] localAdvert, Consumer<HandshakeOutcome> onOutcome) {
      attempts.add(onOutcome);
    }

    @Override
    public int maxAdvertBytes() {
      return 1_000;
    }

    @Override
    public void close() {
      attempts.clear();
    }
  }

  private static byte[] advert(int worker, long incarnation, String identity) {
    return AdvertCodec.encode(
        new Advert(
            worker,
            incarnation,
            1 << 20,
            16,
            1_400,
            AesKeySize.AES_128,
            512,
            CreditTerms.ENDLESS,
            List.of(new AdvertisedEndpoint(worker, AdvertisedNic.ONLY, ENDPOINT)),
            identity));
  }

  /** A path between this worker and this life of the peer; the handshake began at this epoch. */
  private HandshakeOutcome.Established path(
      boolean isInitiator, int worker, long incarnation, long epoch) {
    byte[] secret = new byte[PathSecret.LENGTH];
    secret[0] = ++secrets;
    return new HandshakeOutcome.Established(
        new PathSecret(secret),
        isInitiator,
        advert(worker, OWN, "10.0.0.9:7400"),
        advert(0, incarnation, PEER),
        HandshakeOutcome.Peer.unproved(PEER),
        1_000,
        epoch);
  }

  /** The peer has connected. */
  private PathSecret called(int worker, long incarnation, long epoch) {
    HandshakeOutcome.Established path = path(false, worker, incarnation, epoch);
    handshakes.onEstablished(path);
    return path.secret();
  }

  /** The peer has connected by an undisturbed handshake. */
  private PathSecret called(int worker, long incarnation) {
    return called(worker, incarnation, handshakes.epoch());
  }

  private PeerHandle admitPeer() {
    return directory.admit(Addresses.parse("test", PEER), held -> {}).handle();
  }

  private void fenced(long incarnation, int worker) {
    handshakes.onFenced(new PeerIncarnation(PEER, incarnation), worker);
  }

  private static HandshakeOutcome.Peer proved(int port, String key) {
    return new HandshakeOutcome.Peer(
        "10.0.0.1:" + port,
        new HandshakeOutcome.ProvedIdentity(key),
        "10.0.0.1",
        PeerIdentity.ofPreSharedKey("10.0.0.1:" + port));
  }

  /** A peer has connected from this port of a host, and proved this key. */
  private void called(int port, String key) {
    HandshakeOutcome.Peer peer = proved(port, key);
    byte[] secret = new byte[PathSecret.LENGTH];
    secret[0] = ++secrets;
    handshakes.onEstablished(
        new HandshakeOutcome.Established(
            new PathSecret(secret),
            false,
            advert(0, OWN, "10.0.0.9:7400"),
            advert(0, 1_000 + port, peer.name()),
            peer,
            1_000,
            handshakes.epoch()));
  }

  /** The commands that a worker received, in words. */
  private List<String> told(int worker) {
    return workers.get(worker).getAllReceived().stream().map(NodeHandshakesTest::text).toList();
  }

  private static String text(WorkerCommand command) {
    return switch (command) {
      case WorkerCommand.OpenPath open -> "open " + open.terms().peer().incarnation();
      case WorkerCommand.FencePeer fence -> "fence " + fence.newest().incarnation();
      case WorkerCommand.RefusePath refusal ->
          "refuse "
              + refusal.terms().peer().incarnation()
              + (refusal.reason() == CloseReason.SUPERSEDED ? "" : " " + refusal.reason());
      case WorkerCommand.YieldPeer yield -> "yield " + yield.link().identity();
      case WorkerCommand.HandshakeFailed failed -> "failed";
      case WorkerCommand.ForgetPeer forget -> "forget";
      default -> command.toString();
    };
  }

  private static boolean isClosed(PathSecret secret) {
    try {
      secret.derive("test", NO_CONTEXT, 1);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Rule L-8. */
  @Test
  void shouldGiveAPlaceOfTheIdentityThatHasMostToAnotherOneAndTellBoth() {
    for (int port = 1; port <= PEERS; port++) {
      assertNull(handshakes.refusal(proved(port, "key:A")));
      called(port, "key:A");
    }
    told(0);
    assertEquals(HandshakeRefusal.TOO_MANY_PEERS, handshakes.refusal(proved(11, "key:A")));
    called(11, "key:A");
    assertEquals(List.of("refuse 1011 NO_ROOM"), told(0));
    assertNull(handshakes.refusal(proved(20, "key:B")));
    called(20, "key:B");
    assertEquals(List.of("yield 10.0.0.1:10", "open 1020"), told(0));
    handshakes.onPathEnded("10.0.0.1:10", new PeerIncarnation("10.0.0.1:10", 1_010));
    assertEquals(List.of("forget"), told(0));
    assertEquals(PEERS, directory.size());
  }

  /** Many paths of few peers use the budget up, so limits on places alone protect no peer. */
  @Test
  void shouldMakeAPeerGiveWayWhenTheInlineBudgetIsUsedUp() {
    for (int port = 1; port <= 3; port++) {
      called(port, "key:A");
    }
    while (budget.take() > 0) {
      // until the budget is used up
    }
    told(0);
    called(20, "key:B");
    assertEquals(List.of("yield 10.0.0.1:3", "refuse 1020 NO_ROOM"), told(0));
  }

  @Test
  void shouldOpenNoPathThatWaitedWhileItsPeerGaveWay() {
    for (int port = 1; port < PEERS; port++) {
      called(port, "key:A");
    }
    called(PEERS, "key:A");
    PeerIncarnation next = new PeerIncarnation("10.0.0.1:" + PEERS, 77);
    HandshakeOutcome.Established waits =
        new HandshakeOutcome.Established(
            new PathSecret(new byte[PathSecret.LENGTH]),
            false,
            advert(0, OWN, "10.0.0.9:7400"),
            advert(0, next.incarnation(), next.identity()),
            proved(PEERS, "key:A"),
            1_000,
            handshakes.epoch());
    handshakes.onEstablished(waits);
    called(20, "key:B");
    told(0);
    handshakes.onFenced(next, 0);
    handshakes.onFenced(next, 1);
    assertEquals(List.of("refuse 77 YIELDED"), told(0));
  }

  /** Rule U-2: no worker declares a path of another worker unknown. */
  @Test
  void shouldKnowTheSecretsOfAllWorkers() {
    handshakes.onSecret(7, 1, new PeerIncarnation(PEER, 1), 7);
    assertTrue(handshakes.isKnown(7));
    handshakes.onSecretGone(7);
    assertFalse(handshakes.isKnown(7));
  }

  @Test
  void shouldLogTheSecretOfAPathAndThoseThatFollow() throws Exception {
    admitPeer();
    PathSecret first = called(0, 1);
    handshakes.renew(PEER, 0, first.pathId(), new PeerIncarnation(PEER, 1));
    HandshakeOutcome.Established renewal = path(true, 0, 1, 0);
    attempts.getFirst().accept(renewal);
    assertEquals(List.of(first.pathId(), renewal.secret().pathId()), loggedPaths());
  }

  @Test
  void shouldOpenNoPathToANewLifeBeforeEveryWorkerHasFencedTheFormer() {
    called(0, 1);
    assertEquals(List.of("open 1"), told(0));
    called(1, 2);
    assertEquals(List.of("fence 2"), told(0));
    assertEquals(List.of("fence 2"), told(1));
    assertFalse(handshakes.isNewest(new PeerIncarnation(PEER, 1)));
    fenced(2, 1);
    assertEquals(List.of(), told(1));
    assertEquals(1, events.count("HandshakeCompleted"));
    fenced(2, 0);
    assertEquals(List.of(), told(0));
    assertEquals(List.of("open 2"), told(1));
    assertEquals(2, events.count("HandshakeCompleted"));
    time.timePasses(Duration.ofSeconds(3));
    assertEquals(List.of(), told(1), "it waits no more");
  }

  @Test
  void shouldOpenWhatCrossedWhenTheWorkersHaveFenced() {
    PeerHandle peer = admitPeer();
    called(0, 1);
    handshakes.connect(PEER, 0);
    called(1, 2);
    attempts.getFirst().accept(path(true, 0, 2, 0));
    told(0);
    told(1);
    fenced(2, 0);
    fenced(2, 1);
    assertEquals(List.of("open 2"), told(0));
    assertEquals(List.of("open 2"), told(1));
    assertEquals(PEER, peer.identity());
  }

  @Test
  void shouldFailWhatWaitsForThePeersOfAWorkerThatHasEnded() {
    Set<String> told = new TreeSet<>();
    Set<String> expected = new TreeSet<>();
    for (int i = 0; i < 8; i++) {
      PeerHandle peer =
          directory.admit(Addresses.parse("test", "10.0.1." + i + ":7400"), held -> {}).handle();
      String of = peer.port().worker() + " " + peer.identity() + " ";
      if (peer.port().worker() == 1) {
        expected.add(of + "the transport was closed");
      }
      peer.link()
          .connect(
              reason -> {
                told.add(of + reason);
                throw new IllegalStateException("a listener of this test");
              });
    }
    handshakes.onWorkerEnded(1, WorkerEnd.CLOSED);
    assertEquals(expected, told);
    assertTrue(!told.isEmpty() && told.size() < 8);
  }

  @Test
  void shouldTurnALateHandshakeOfAFormerLifeDown() {
    long begun = handshakes.epoch();
    called(0, 2);
    told(0);
    long left = budget.leftBytes();
    called(0, 1, begun);
    assertEquals(List.of("refuse 1"), told(0));
    assertEquals(List.of(), told(1), "nothing is fenced");
    assertTrue(handshakes.isNewest(new PeerIncarnation(PEER, 2)));
    assertEquals(left, budget.leftBytes());
    assertEquals(1, events.count("HandshakeFailed"));
    assertEquals(1, directory.size());
  }

  @Test
  void shouldShakeHandsAgainWhenItsOwnHandshakeMayHaveMetAFormerLife() {
    admitPeer();
    handshakes.connect(PEER, 1);
    called(0, 1);
    attempts.getFirst().accept(path(true, 1, 2, 0));
    assertEquals(2, attempts.size());
    assertEquals(List.of("refuse 2"), told(1));
    assertEquals(List.of("open 1"), told(0));
    attempts.getLast().accept(path(true, 1, 2, handshakes.epoch()));
    assertEquals(List.of("fence 2"), told(1));
    fenced(2, 0);
    fenced(2, 1);
    assertEquals(List.of("open 2"), told(1));
    assertEquals(0, events.count("HandshakeFailed"));
  }

  @Test
  void shouldFailACallerWhoReachesALifeThatWasReplaced() {
    admitPeer();
    called(0, 1);
    called(0, 2);
    told(1);
    handshakes.connect(PEER, 1);
    attempts.getFirst().accept(path(true, 1, 1, handshakes.epoch()));
    assertEquals(1, attempts.size());
    assertEquals(List.of("failed", "refuse 1"), told(1));
  }

  @Test
  void shouldTurnDownWhatWaitsWhenAWorkerDoesNotAnswer() {
    admitPeer();
    called(0, 1);
    long left = budget.leftBytes();
    handshakes.connect(PEER, 1);
    attempts.getFirst().accept(path(true, 1, 2, handshakes.epoch()));
    fenced(2, 1);
    told(1);
    time.timePasses(Duration.ofMillis(1_999));
    assertEquals(List.of(), told(1));
    time.timePasses(Duration.ofMillis(1));
    assertEquals(List.of("failed", "refuse 2"), told(1));
    assertEquals(left, budget.leftBytes());
    fenced(2, 0);
    assertEquals(List.of(), told(1), "it was given up");
    called(1, 2);
    assertEquals(List.of("open 2"), told(1));
  }

  @Test
  void shouldNotWaitForAWorkerThatHasEnded() {
    called(0, 1);
    called(1, 2);
    told(1);
    fenced(2, 1);
    handshakes.onWorkerEnded(0, WorkerEnd.CLOSED);
    assertEquals(List.of("open 2"), told(1));
  }

  @Test
  void shouldNotWaitWhenTheFormerLifeHasNoPathLeft() {
    called(0, 1);
    handshakes.onPathEnded(PEER, new PeerIncarnation(PEER, 1));
    assertEquals(List.of("open 1", "forget"), told(0));
    called(1, 2);
    assertEquals(List.of("open 2"), told(1));
    assertEquals(List.of(), told(0));
  }

  @Test
  void shouldKeepNothingThatWaitsWhenItCloses() {
    long left = budget.leftBytes();
    called(0, 1);
    long window = left - budget.leftBytes();
    PathSecret waits = called(1, 2);
    PathSecret waitsToo = called(1, 2);
    handshakes.onClosing();
    fenced(2, 0);
    handshakes.onClosed();
    assertTrue(isClosed(waits));
    assertTrue(isClosed(waitsToo));
    assertEquals(left - window, budget.leftBytes());
  }

  @Test
  void shouldDropWhatIsFencedWhileItCloses() {
    called(0, 1);
    PathSecret waits = called(1, 2);
    told(1);
    handshakes.onClosing();
    handshakes.onWorkerEnded(0, WorkerEnd.CLOSED);
    handshakes.onWorkerEnded(1, WorkerEnd.CLOSED);
    assertTrue(isClosed(waits));
    assertEquals(List.of(), told(1));
  }

  @Test
  void shouldKnowAPeerByItsNumericAddressHoweverItIsWritten() {
    HandshakeOutcome.Established path =
        new HandshakeOutcome.Established(
            new PathSecret(new byte[PathSecret.LENGTH]),
            false,
            advert(0, OWN, "10.0.0.9:7400"),
            advert(0, 1, "[0:0:0:0:0:0:0:1]:7400"),
            HandshakeOutcome.Peer.unproved("[0:0:0:0:0:0:0:1]:7400"),
            1_000,
            0);
    handshakes.onEstablished(path);
    WorkerCommand.OpenPath open =
        assertInstanceOf(WorkerCommand.OpenPath.class, workers.getFirst().receiveMessage());
    assertEquals(
        Addresses.format(Addresses.parse("test", "[::1]:7400")), open.terms().peer().identity());
  }
}
