package io.millrace.protocol.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.session.PeerPlaces.Claim;
import io.millrace.protocol.session.PeerPlaces.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule L-8. */
class PeerPlacesTest {
  /**
   * Four places, taken in this order by peers written as identity, address, number; and the
   * decision on the next peer.
   */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # taken,            next, becomes
          '',                 Aa1,  taken
          Aa1,                Aa1,  taken
          Aa1 Aa2 Aa3,        Aa4,  taken
          Aa1 Aa2 Aa3 Aa4,    Aa4,  taken
          Aa1 Aa2 Aa3 Aa4,    Aa5,  refused
          Aa1 Aa2 Aa3 Aa4,    Ba1,  Aa4
          Aa1 Aa2 Aa3 Aa4,    Ab1,  Aa4
          Aa1 Aa2 Aa3 Ba1,    Ba2,  Aa3
          Aa1 Aa2 Aa3 Ba1,    Bb2,  Aa3
          Aa1 Aa2 Ba1 Ba2,    Ba3,  refused
          Aa1 Aa2 Ba1 Ba2,    Bb3,  Ba2
          Aa1 Aa2 Ba1 Ba2,    Ca1,  Ba2
          Aa1 Ba1 Ca1 Da1,    Ea1,  refused
          Aa1 Aa2 Ab1 Ab2,    Ac1,  Ab2
          Aa1 Ab1 Ac1 Ad1,    Ae1,  refused
          Aa1 Aa2 Aa3 Ab1,    Ba1,  Aa3
          Aa1 Aa2 Ba1 Ca1,    Da1,  Aa2
          # of the node's own calls, written as identity !
          !a1 !a2 !a3 !a4,    Aa1,  refused
          !a1 !a2 Aa1 Aa2,    Ba1,  Aa2
          Aa1 Aa2 Aa3 Aa4,    !a1,  Aa4
          !a1 Aa1 Aa2 Aa3,    !a2,  Aa3
          !a1 !a2 Aa1 Aa2,    !a3,  refused
          Aa1 Aa2 Aa3 Aa4,    !=Aa1,taken
          """)
  void shouldDecide(String taken, String next, String becomes) {
    PeerPlaces places = new PeerPlaces(4);
    for (String peer : taken.isEmpty() ? new String[0] : taken.split(" ")) {
      assertEquals(new Decision(true, null), ask(places, peer));
    }
    int size = places.size();
    boolean canTake = !next.startsWith("!") && places.canTake(claim(next));
    Decision decision = ask(places, next);
    assertTrue(next.startsWith("!") || canTake == decision.isTaken(), "asked before");
    switch (becomes) {
      case "taken" -> assertEquals(new Decision(true, null), decision);
      case "refused" -> {
        assertEquals(new Decision(false, null), decision);
        assertEquals(size, places.size());
      }
      default -> {
        assertEquals(new Decision(true, becomes), decision);
        assertTrue(places.isLeaving(becomes));
        assertEquals(5, places.size(), "it keeps its entry until it has ended");
      }
    }
  }

  private static Decision ask(PeerPlaces places, String peer) {
    if (peer.startsWith("!")) {
      return places.onCalled(peer.startsWith("!=") ? peer.substring(2) : peer);
    }
    return places.onClaim(claim(peer));
  }

  private static Claim claim(String peer) {
    return new Claim(peer, peer.substring(0, 1), peer.substring(1, 2));
  }

  @Test
  void shouldNeverMakeAPeerGiveWayThatThisNodeCalls() {
    PeerPlaces places = new PeerPlaces(4);
    places.onClaim(claim("Aa1"));
    places.onCalled("Aa1");
    for (int i = 2; i < 5; i++) {
      places.onClaim(claim("Aa" + i));
    }
    assertEquals(new Decision(true, "Aa4"), places.onClaim(claim("Ba1")));
    places.onEnded("Aa4");
    assertEquals(new Decision(false, null), places.onClaim(claim("Ba2")), "two places each");
    places.onEnded("Aa1");
    assertEquals(new Decision(true, null), places.onClaim(claim("Ba2")));
  }

  @Test
  void shouldLetSoManyGiveWayAtOnceAndNoneComeBackBeforeItHasEnded() {
    PeerPlaces places = full(16);
    assertEquals("A-15", places.onClaim(new Claim("B-1", "B", "b")).yields());
    assertEquals("A-14", places.onClaim(new Claim("B-2", "B", "b")).yields());
    assertFalse(places.canTake(new Claim("B-3", "B", "b")), "an eighth of the places is leaving");
    assertEquals(new Decision(false, null), places.onClaim(new Claim("A-15", "A", "a")));
    assertEquals(18, places.size());
    places.onEnded("A-15");
    assertEquals("A-13", places.onClaim(new Claim("B-3", "B", "b")).yields());
    places.onEnded("A-14");
    assertEquals(new Decision(true, "A-12"), places.onCalled("A-13"), "it is not leaving any more");
    assertFalse(places.isLeaving("A-13"));
    assertTrue(places.isLeaving("A-12"));
  }

  @Test
  void shouldMakeRoomForAPeerThatLacksSomethingElseThanAPlace() {
    PeerPlaces places = new PeerPlaces(100);
    for (int i = 0; i < 3; i++) {
      places.onClaim(new Claim("A-" + i, "A", "a"));
    }
    assertEquals("A-2", places.onShort(new Claim("B-1", "B", "b")));
    assertNull(places.onShort(new Claim("A-9", "A", "a")));
    assertNull(places.onShort(new Claim("A-1", "A", "a")), "it has its place");
  }

  @Test
  void shouldCountAPeerByTheKeyThatItProvedLast() {
    PeerPlaces places = new PeerPlaces(2);
    places.onClaim(new Claim("x", "A", "a"));
    places.onClaim(new Claim("x", "B", "a"));
    places.onClaim(new Claim("y", "B", "a"));
    assertEquals("y", places.onClaim(new Claim("z", "A", "a")).yields());
  }

  /**
   * Whatever the demand of an identity, other identities get their demands up to an equal share.
   */
  @Test
  void shouldGiveEachIdentityItsShareOfAThousandPlaces() {
    PeerPlaces places = full(1_024);
    Map<String, Integer> refused = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      for (String identity : List.of("A", "B", "C")) {
        String peer = identity + "+" + i;
        Decision decision = places.onClaim(new Claim(peer, identity, "a"));
        if (!decision.isTaken()) {
          refused.merge(identity, 1, Integer::sum);
        } else if (decision.yields() != null) {
          places.onEnded(decision.yields());
        }
      }
    }
    assertEquals(Map.of("A", 300), refused);
    assertEquals(1_024, places.size());
  }

  @Test
  void shouldTakeThreeHundredNodesOfOneCertificateAndShareByAddress() {
    PeerPlaces places = new PeerPlaces(300);
    for (int i = 0; i < 300; i++) {
      Claim claim = new Claim("10.0.1." + i + ":7400", "cluster", "10.0.1." + i);
      assertEquals(new Decision(true, null), places.onClaim(claim));
    }
    assertFalse(places.canTake(new Claim("10.0.2.1:7400", "cluster", "10.0.2.1")));
    // An intruder on one node takes the places that other nodes leave, and gives the places back.
    for (int i = 100; i < 300; i++) {
      places.onEnded("10.0.1." + i + ":7400");
      places.onClaim(new Claim("10.0.1.1:" + i, "cluster", "10.0.1.1"));
    }
    List<String> gaveWay = new ArrayList<>();
    for (int i = 100; i < 300; i++) {
      Claim claim = new Claim("10.0.1." + i + ":7400", "cluster", "10.0.1." + i);
      Decision decision = places.onClaim(claim);
      assertTrue(decision.isTaken(), claim::toString);
      gaveWay.add(String.valueOf(decision.yields()));
      places.onEnded(gaveWay.getLast());
    }
    assertTrue(gaveWay.stream().allMatch(peer -> peer.startsWith("10.0.1.1:")), gaveWay::toString);
  }

  /**
   * The places assert their invariants inside; here the places must neither grow nor go to two
   * peers.
   */
  @Test
  void shouldKeepItsBoundsWhateverComes() {
    Random random = new Random(1);
    PeerPlaces places = new PeerPlaces(12);
    List<String> leaving = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      String peer = "" + "ABC!".charAt(random.nextInt(4)) + "ab".charAt(random.nextInt(2));
      String name = peer + random.nextInt(12);
      switch (random.nextInt(4)) {
        case 0 -> places.onEnded(name);
        case 1 -> {
          if (!leaving.isEmpty()) {
            places.onEnded(leaving.removeFirst());
          }
        }
        default -> {
          Decision decision = ask(places, name);
          if (decision.yields() != null) {
            leaving.add(decision.yields());
          }
        }
      }
      assertTrue(places.size() <= 13, "twelve, and one that leaves");
    }
  }

  private static PeerPlaces full(int limit) {
    PeerPlaces places = new PeerPlaces(limit);
    for (int i = 0; i < limit; i++) {
      assertEquals(new Decision(true, null), places.onClaim(new Claim("A-" + i, "A", "a")));
    }
    return places;
  }
}
