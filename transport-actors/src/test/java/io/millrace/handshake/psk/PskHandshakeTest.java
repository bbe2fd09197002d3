package io.millrace.handshake.psk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeRefusal;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes, a network under the test's control, and the outcomes on both sides. */
class PskHandshakeTest {
  private static final long MS = PskNetwork.MS;
  private static final int ALICE = 0;
  private static final int BOB = 1;
  private static final long[] LOST = {};

  private PskNode alice = new PskNode("alice", 1);
  private PskNode bob = new PskNode("bob", 2);
  private PskNetwork network = new PskNetwork(alice, bob);

  private static void assertOnePath(PskNode initiator, PskNode responder) {
    assertEquals(1, initiator.ended.size(), initiator.ended::toString);
    assertEquals(1, responder.ended.size(), responder.ended::toString);
    HandshakeOutcome.Established ours = initiator.established().getFirst();
    HandshakeOutcome.Established theirs = responder.established().getFirst();
    assertSamePath(ours, theirs);
    assertTrue(ours.isInitiator());
    assertFalse(theirs.isInitiator());
    assertEquals(responder.name + ":7400", ours.remoteIdentity());
    assertEquals(initiator.name + ":7400", theirs.remoteIdentity());
    assertArrayEquals(PskNode.advert(responder.name), ours.remoteAdvert());
    assertArrayEquals(PskNode.advert(initiator.name), theirs.remoteAdvert());
    assertArrayEquals(theirs.localAdvert(), ours.remoteAdvert());
    assertArrayEquals(ours.localAdvert(), theirs.remoteAdvert());
  }

  private static void assertSamePath(
      HandshakeOutcome.Established ours, HandshakeOutcome.Established theirs) {
    assertEquals(ours.secret().pathId(), theirs.secret().pathId());
    assertArrayEquals(probe(ours), probe(theirs));
  }

  private static byte[] probe(HandshakeOutcome.Established path) {
    return path.secret().derive("probe", new byte[0], 32);
  }

  @Test
  void shouldGiveBothSidesTheSameSecret() {
    network.connect(ALICE, BOB).run(100 * MS);
    assertOnePath(alice, bob);
    assertEquals(4, network.transcript.size());
    assertEquals(2 * MS, alice.established().getFirst().rttNs());
    assertEquals(2 * MS, bob.established().getFirst().rttNs());
    assertEquals(1, alice.handshake.counters().established());
    assertEquals(1, bob.handshake.counters().established());
  }

  /**
   * The caller's address counts as proved, so the Finish must come from the address that the Reply
   * went to.
   */
  @Test
  void shouldTakeNoFinishFromAnotherAddressThanThatOfTheInit() {
    InetAddress own = InetAddress.ofLiteral("10.0.0.1");
    var _ = alice.connect(BOB, 0);
    byte[] init = alice.poll().getFirst().bytes();
    bob.handshake.onSource(own);
    byte[] reply = bob.receive(init, ALICE, MS).getFirst().bytes();
    byte[] finish = alice.receive(reply, BOB, 2 * MS).getFirst().bytes();
    bob.handshake.onSource(InetAddress.ofLiteral("10.0.0.9"));
    assertEquals(List.of(), bob.receive(finish, ALICE, 3 * MS));
    assertEquals(List.of(), bob.ended);
    bob.handshake.onSource(own);
    byte[] done = bob.receive(finish, ALICE, 4 * MS).getFirst().bytes();
    assertEquals(List.of(), alice.receive(done, BOB, 5 * MS));
    assertOnePath(alice, bob);
  }

  @Test
  void shouldStampAnExchangeWhenItsOwnSecretIsMade() {
    alice.epoch = 3;
    bob.epoch = 5;
    // A copy of Init arrives after Bob's epoch has moved on, and so does a copy of Finish.
    network.rule((index, sent) -> new long[] {index == 2 ? 30 * MS : MS, 20 * MS});
    network.connect(ALICE, BOB);
    alice.epoch = 4;
    network.run(MS);
    bob.epoch = 9;
    network.run(100 * MS);
    assertOnePath(alice, bob);
    assertEquals(3, alice.established().getFirst().epoch());
    assertEquals(5, bob.established().getFirst().epoch());
  }

  @Test
  void shouldKeepDatagramsSmallAndAnswersNoLongerThanQuestions() {
    byte[] longest = new byte[alice.handshake.maxAdvertBytes()];
    assertThrows(
        IllegalArgumentException.class,
        () -> alice.handshake.connect(BOB, new byte[longest.length + 1], network.nowNs));
    network.connect(ALICE, BOB).run(100 * MS);
    List<PskNode.Sent> sent = network.transcript;
    assertEquals(1_200, sent.getFirst().bytes().length);
    for (PskNode.Sent datagram : sent) {
      assertTrue(datagram.bytes().length <= 1_200, datagram::toString);
    }
    int longestReply = sent.get(1).bytes().length - PskNode.advert("bob").length + longest.length;
    assertEquals(sent.getFirst().bytes().length, longestReply);
  }

  @Test
  void shouldSendNeitherKeyNorAdvertNorSecretInClear() {
    network.connect(ALICE, BOB).run(100 * MS);
    StringBuilder wire = new StringBuilder();
    for (PskNode.Sent sent : network.transcript) {
      wire.append(new String(sent.bytes(), StandardCharsets.ISO_8859_1)).append('|');
    }
    byte[] key = PskNode.KEY.bytes();
    for (byte[] secret : List.of(key, PskNode.advert("bob"), PskNode.advert("alice"))) {
      for (int from = 0; from + 6 <= secret.length; from++) {
        String piece = new String(secret, from, 6, StandardCharsets.ISO_8859_1);
        if (piece.chars().filter(c -> c != 0).count() >= 5) {
          assertEquals(-1, wire.indexOf(piece), "at " + from);
        }
      }
    }
    assertEquals(-1, wire.indexOf("7400"));
    assertEquals(
        "[Established[bob:7400, initiator=true, PathSecret[pathId="
            + HexFormat.of().toHexDigits(alice.established().getFirst().secret().pathId())
            + ", secret redacted]]]",
        alice.established().toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void shouldRecoverFromTheLossOfAnyMessage(int lost) {
    network.rule((index, sent) -> index == lost ? LOST : new long[] {MS});
    network.connect(ALICE, BOB).run(500 * MS);
    assertOnePath(alice, bob);
    // The sender of a lost question repeats the question; a lost answer is repeated only after its
    // question.
    assertEquals(lost % 2 == 0 ? 5 : 6, network.transcript.size());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 9})
  void shouldRecoverFromSeveralLossesInARow(int losses) {
    network.rule((index, sent) -> index % (losses + 1) != losses ? LOST : new long[] {MS});
    network.connect(ALICE, BOB).run(20_000 * MS);
    assertTrue(network.transcript.size() > losses);
    if (!bob.ended.isEmpty() && !alice.established().isEmpty()) {
      assertOnePath(alice, bob);
    }
  }

  @Test
  void shouldSendAgainAfterThreeRoundTripsAndThenTwiceAsLate() {
    network.rule((index, sent) -> LOST);
    network.connect(ALICE, BOB);
    long startNs = network.nowNs;
    long expectedMs = 30;
    long atMs = 0;
    for (int sends = 1; sends <= 8; sends++) {
      atMs += expectedMs;
      assertEquals(startNs + atMs * MS, alice.handshake.nextDeadlineNs());
      network.run(startNs + atMs * MS - network.nowNs);
      assertEquals(sends + 1, network.transcript.size());
      expectedMs = Math.min(1_000, 2 * expectedMs);
    }
    network.run(10_000 * MS);
    assertEquals(HandshakeFailure.NO_ANSWER, alice.failure().cause());
    assertEquals(
        "no answer within 5000 ms: nothing listens there, it is not a Millrace node, or it does"
            + " not accept this pre-shared key",
        alice.failure().reason());
  }

  @Test
  void shouldTakeRepeatedDatagramsForOne() {
    network.rule((index, sent) -> new long[] {MS, MS, 3 * MS, 40 * MS});
    network.connect(ALICE, BOB).run(1_000 * MS);
    assertOnePath(alice, bob);
    assertTrue(bob.handshake.counters().repeated() >= 6);
    assertEquals(1, bob.advertsMade);
  }

  @Test
  void shouldEstablishAtMostOnePathPerExchangeWhateverTheNetworkDoes() {
    long firstSeed = 1_000;
    System.out.println("seeds from " + firstSeed);
    int paths = 0;
    int halves = 0;
    for (long seed = firstSeed; seed < firstSeed + 1_000; seed++) {
      Random random = new Random(seed);
      alice = new PskNode("alice", seed);
      bob = new PskNode("bob", ~seed);
      network = new PskNetwork(alice, bob).rule((index, sent) -> delays(random));
      network.connect(ALICE, BOB).run(30_000 * MS);
      assertEquals(1, alice.ended.size(), "seed " + seed);
      assertTrue(bob.ended.size() <= 1, "seed " + seed);
      if (alice.established().size() == 1) {
        assertOnePath(alice, bob);
        paths++;
      } else {
        halves += bob.ended.size();
      }
      assertEquals(0, bob.handshake.halfOpenExchanges(), "seed " + seed);
    }
    System.out.println("paths " + paths + ", known to the responder only " + halves);
    assertTrue(paths > 900, "paths: " + paths);
  }

  private static long[] delays(Random random) {
    int copies = random.nextInt(10) < 3 ? 0 : 1 + random.nextInt(2);
    return random.longs(copies, 0, 200 * MS).toArray();
  }

  @Test
  void shouldEstablishNothingFromReplayedMessages() {
    network.connect(ALICE, BOB).run(100 * MS);
    List<PskNode.Sent> recorded = List.copyOf(network.transcript);
    for (long waitMs : new long[] {1, 11_000, 60_000}) {
      network.run(waitMs * MS);
      for (int round = 0; round < 50; round++) {
        for (PskNode.Sent sent : recorded) {
          bob.receive(sent.bytes(), 9, network.nowNs);
          alice.receive(sent.bytes(), 9, network.nowNs);
        }
      }
    }
    assertOnePath(alice, bob);
    assertTrue(bob.handshake.halfOpenExchanges() <= 1);
    PskNode restarted = new PskNode("bob", 3);
    for (int round = 0; round < 50; round++) {
      for (PskNode.Sent sent : recorded) {
        restarted.receive(sent.bytes(), 9, network.nowNs);
      }
    }
    assertEquals(List.of(), restarted.ended);
  }

  @Test
  void shouldAnswerOneExchangeOnlySoOften() {
    network.connect(ALICE, BOB);
    byte[] init = network.transcript.getFirst().bytes();
    int answers = 0;
    for (int i = 0; i < 1_000; i++) {
      answers += bob.receive(init, ALICE, network.nowNs).size();
    }
    assertEquals(PskLimits.DEFAULT.answers(), answers);
    assertEquals(1, bob.handshake.halfOpenExchanges());
  }

  @Test
  void shouldRememberABoundedNumberOfOpenExchanges() {
    PskNode crowd = new PskNode("crowd", 5);
    for (int i = 0; i < 5_000; i++) {
      if (i % 1_000 == 999) {
        crowd.handshake.onClose();
        crowd = new PskNode("crowd", 5 + i);
      }
      crowd.connect(BOB, network.nowNs);
      for (PskNode.Sent sent : crowd.poll()) {
        assertEquals(1, bob.receive(sent.bytes(), 9, network.nowNs).size());
      }
      assertTrue(bob.handshake.halfOpenExchanges() <= PskLimits.DEFAULT.halfOpen());
    }
    assertEquals(PskLimits.DEFAULT.halfOpen(), bob.handshake.halfOpenExchanges());
    network.connect(ALICE, BOB).run(100 * MS);
    assertOnePath(alice, bob);
    network.run(10_000 * MS);
    assertEquals(0, bob.handshake.halfOpenExchanges());
    assertEquals(5_000, bob.handshake.counters().forgotten());
  }

  @Test
  void shouldTakeNothingOnceClosedForItsKeysAreZeros() {
    network.connect(ALICE, BOB);
    byte[] init = network.transcript.getFirst().bytes();
    bob.handshake.onClose();
    assertEquals(List.of(), bob.receive(init, ALICE, network.nowNs));
    assertEquals(0, bob.handshake.halfOpenExchanges());
    assertThrows(IllegalStateException.class, () -> bob.connect(ALICE, network.nowNs));
  }

  @Test
  void shouldSayThatTheKeyIsWrongSoonAndNotAtOnce() {
    PreSharedKey other = new PreSharedKey("another key of another laboratory...".getBytes());
    bob = new PskNode("bob", PskSettings.of(other, 2), 2);
    network = new PskNetwork(alice, bob).connect(ALICE, BOB).run(501 * MS);
    assertEquals(List.of(), alice.ended);
    network.run(2 * MS);
    assertEquals(HandshakeFailure.WRONG_CREDENTIALS, alice.failure().cause());
    assertEquals(
        "the peer does not accept this pre-shared key (or is not a Millrace node)",
        alice.failure().reason());
    assertEquals(List.of(), bob.ended);
    assertEquals(0, bob.advertsMade);
    assertEquals(0, bob.handshake.halfOpenExchanges());
    assertTrue(bob.handshake.counters().wrongKeys() > 0);
  }

  @Test
  void shouldNotBelieveAForgedRefusal() {
    PskNode stranger =
        new PskNode(
            "mallory",
            PskSettings.of(new PreSharedKey("a key that nobody else here has....".getBytes()), 9),
            9);
    // The network is so slow that the hint would end the exchange before Done.
    network.rule((index, sent) -> new long[] {220 * MS});
    network.connect(ALICE, BOB);
    byte[] init = network.transcript.getFirst().bytes();
    List<PskNode.Sent> forged = stranger.receive(init, ALICE, network.nowNs);
    assertEquals(1, forged.size());
    for (int i = 0; i < 3; i++) {
      alice.receive(forged.getFirst().bytes(), BOB, network.nowNs + 1);
    }
    network.run(5_000 * MS);
    assertOnePath(alice, bob);
  }

  @Test
  void shouldSayWhichVersionThePeerSpeaks() {
    bob =
        new PskNode(
            "bob", new PskSettings(PskNode.KEY, 2, 7, PskTimes.DEFAULT, PskLimits.DEFAULT), 2);
    network = new PskNetwork(alice, bob).connect(ALICE, BOB).run(3 * MS);
    assertEquals(HandshakeFailure.UNSUPPORTED_VERSION, alice.failure().cause());
    assertEquals(
        "the peer speaks version 7 of the protocol, this node version 1", alice.failure().reason());
    assertEquals(List.of(), bob.ended);
  }

  @Test
  void shouldSayWhichVersionOfTheHandshakeThePeerSpeaks() {
    network.rule((index, sent) -> LOST).connect(ALICE, BOB);
    byte[] init = network.transcript.getFirst().bytes().clone();
    init[1] = 2;
    assertEquals(1, bob.receive(init, ALICE, network.nowNs).size());
    byte[] answer = {0x48, 2, 0, 0};
    assertEquals(List.of(), bob.receive(answer, ALICE, network.nowNs), "no ping-pong");
    alice.receive(answer, BOB, network.nowNs);
    network.run(600 * MS);
    assertEquals(HandshakeFailure.UNSUPPORTED_VERSION, alice.failure().cause());
    assertEquals(
        "the peer speaks version 2 of the handshake, this node version 1",
        alice.failure().reason());
  }

  @Test
  void shouldNotConnectToItself() {
    network.connect(ALICE, ALICE).run(5_000 * MS);
    assertEquals(1, alice.ended.size());
    assertEquals(HandshakeFailure.OWN_ADDRESS, alice.failure().cause());
  }

  @Test
  void shouldSurviveItsOwnMessagesSentBack() {
    network.connect(ALICE, BOB);
    byte[] init = network.transcript.getFirst().bytes();
    for (PskNode.Sent answer : alice.receive(init, BOB, network.nowNs)) {
      alice.receive(answer.bytes(), BOB, network.nowNs);
    }
    network.run(1_000 * MS);
    assertOnePath(alice, bob);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TOO_MANY_PEERS", "SHUTTING_DOWN"})
  void shouldHearWhyThePeerRefuses(String refusal) {
    bob.refusal = HandshakeRefusal.valueOf(refusal);
    network.connect(ALICE, BOB).run(5 * MS);
    assertEquals(HandshakeFailure.REFUSED, alice.failure().cause());
    assertEquals(List.of(), bob.established());
  }

  @Test
  void shouldLimitRefusals() {
    PskNode stranger =
        new PskNode(
            "mallory",
            PskSettings.of(new PreSharedKey("a key that nobody else here has....".getBytes()), 9),
            9);
    int answers = 0;
    for (int i = 0; i < 1_000; i++) {
      stranger.connect(BOB, network.nowNs);
      for (PskNode.Sent sent : stranger.poll()) {
        answers += bob.receive(sent.bytes(), 9, network.nowNs + i).size();
      }
    }
    assertEquals(100, answers);
    assertEquals(900, bob.handshake.counters().rejectsWithheld());
  }

  @Test
  void shouldEstablishTwoPathsWhenBothBegin() {
    network.connect(ALICE, BOB).connect(BOB, ALICE).run(100 * MS);
    assertEquals(2, alice.established().size());
    assertEquals(2, bob.established().size());
    for (HandshakeOutcome.Established ours : alice.established()) {
      HandshakeOutcome.Established theirs =
          bob.established().stream()
              .filter(path -> path.isInitiator() != ours.isInitiator())
              .findFirst()
              .orElseThrow();
      assertSamePath(ours, theirs);
    }
    assertNotEquals(
        alice.established().get(0).secret().pathId(), alice.established().get(1).secret().pathId());
  }

  @Test
  void shouldNeverRepeatASecretAcrossRestarts() {
    Set<Long> pathIds = new HashSet<>();
    Set<String> secrets = new HashSet<>();
    int exchanges = 0;
    for (long incarnation = 0; incarnation < 100; incarnation++) {
      // The worst case: after each restart the randomness of one node repeats, then the randomness
      // of both nodes.
      for (long seed : new long[] {7, 1_000 + incarnation}) {
        PskNode one = new PskNode("alice", PskSettings.of(PskNode.KEY, 2 * incarnation), 7);
        PskNode two = new PskNode("bob", PskSettings.of(PskNode.KEY, 2 * incarnation + 1), seed);
        new PskNetwork(one, two).connect(ALICE, BOB).run(100 * MS);
        pathIds.add(one.established().getFirst().secret().pathId());
        secrets.add(new String(probe(two.established().getFirst()), StandardCharsets.ISO_8859_1));
        exchanges++;
      }
    }
    assertEquals(exchanges, pathIds.size());
    assertEquals(exchanges, secrets.size());
  }

  @Test
  void shouldStayWithTheFirstOfTwoReplies() {
    PskNode second = new PskNode("bob", 3);
    alice.connect(BOB, network.nowNs);
    byte[] init = alice.poll().getFirst().bytes();
    byte[] reply = bob.receive(init, ALICE, network.nowNs).getFirst().bytes();
    byte[] otherReply = second.receive(init, ALICE, network.nowNs).getFirst().bytes();
    byte[] finish = alice.receive(reply, BOB, network.nowNs).getFirst().bytes();
    assertEquals(List.of(), alice.receive(otherReply, BOB, network.nowNs));
    byte[] done = bob.receive(finish, ALICE, network.nowNs).getFirst().bytes();
    alice.receive(done, BOB, network.nowNs);
    assertOnePath(alice, bob);
    assertEquals(List.of(), second.ended);
  }

  @Test
  void shouldFailWhenThePeerFallsSilentHalfWay() {
    network.rule((index, sent) -> sent.bytes()[2 + 4] == 67 ? LOST : new long[] {MS});
    network.connect(ALICE, BOB).run(6_000 * MS);
    assertEquals("the peer stopped answering during the handshake", alice.failure().reason());
    assertEquals(1, bob.established().size());
  }
}
