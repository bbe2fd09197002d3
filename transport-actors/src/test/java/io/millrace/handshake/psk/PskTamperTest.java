package io.millrace.handshake.psk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.codec.RejectReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Datagrams of strangers: changed, cut, mixed and random bytes. */
class PskTamperTest {
  private static final long NOW_NS = 50 * PskNetwork.MS;
  private static final long ALICE = 0;
  private static final long BOB = 1;

  private final PskNode alice = new PskNode("alice", 1);
  private final PskNode bob = new PskNode("bob", 2);

  private byte[] init() {
    alice.connect(BOB, NOW_NS);
    return only(alice.poll());
  }

  private static byte[] only(List<PskNode.Sent> sent) {
    assertEquals(1, sent.size(), sent::toString);
    return sent.getFirst().bytes();
  }

  /** Gives every one-bit change of a datagram to a node; no change may have an effect. */
  private static void tamper(PskNode node, byte[] genuine) {
    for (int bit = 0; bit < genuine.length * 8; bit++) {
      byte[] forged = genuine.clone();
      forged[bit / 8] ^= (byte) (1 << bit % 8);
      node.receive(forged, 9, NOW_NS);
      assertEquals(List.of(), node.ended, "bit " + bit);
    }
    for (int length = 0; length < genuine.length; length++) {
      node.receive(Arrays.copyOf(genuine, length), 9, NOW_NS);
      byte[] relabelled = Arrays.copyOf(genuine, length);
      if (length > 4) {
        relabelled[2] = (byte) (length - 2);
        relabelled[3] = (byte) (length - 2 >> 8);
        node.receive(relabelled, 9, NOW_NS);
      }
      assertEquals(List.of(), node.ended, "length " + length);
    }
  }

  @Test
  void shouldIgnoreEveryChangeToEveryMessage() {
    byte[] init = init();
    tamper(bob, init);
    assertEquals(0, bob.advertsMade, "no changed Init was taken for genuine");
    byte[] reply = only(bob.receive(init, ALICE, NOW_NS));
    tamper(alice, reply);
    byte[] finish = only(alice.receive(reply, BOB, NOW_NS));
    tamper(bob, finish);
    byte[] done = only(bob.receive(finish, ALICE, NOW_NS));
    assertEquals(1, bob.established().size());
    tamper(alice, done);
    alice.receive(done, BOB, NOW_NS);
    assertEquals(1, alice.established().size());
  }

  @Test
  void shouldNotMixMessagesOfDifferentExchanges() {
    byte[] firstInit = init();
    byte[] secondInit = init();
    byte[] firstReply = only(bob.receive(firstInit, ALICE, NOW_NS));
    byte[] secondReply = only(bob.receive(secondInit, ALICE, NOW_NS));
    byte[] mixed = firstReply.clone();
    System.arraycopy(secondReply, 116, mixed, 116, mixed.length - 116);
    assertEquals(List.of(), alice.receive(mixed, BOB, NOW_NS));
    byte[] firstFinish = only(alice.receive(firstReply, BOB, NOW_NS));
    byte[] secondFinish = only(alice.receive(secondReply, BOB, NOW_NS));
    byte[] mixedFinish = firstFinish.clone();
    System.arraycopy(secondFinish, 74, mixedFinish, 74, mixedFinish.length - 74);
    assertEquals(List.of(), bob.receive(mixedFinish, ALICE, NOW_NS));
    only(bob.receive(firstFinish, ALICE, NOW_NS));
    only(bob.receive(secondFinish, ALICE, NOW_NS));
    assertEquals(2, bob.established().size());
  }

  @Test
  void shouldTakeNoInitThatIsShorterThanTheLongestAnswer() {
    byte[] init = init();
    int shorter = init.length - 1;
    byte[] cut = Arrays.copyOf(init, shorter);
    cut[2] = (byte) (shorter - 2);
    cut[3] = (byte) (shorter - 2 >> 8);
    int padding = shorter - 10 - 74 - 2;
    cut[84] = (byte) padding;
    cut[85] = (byte) (padding >> 8);
    Arrays.fill(cut, 52, 84, (byte) 0);
    System.arraycopy(new PskKeys(PskNode.KEY).initMac().tag(cut), 0, cut, 52, 32);
    assertEquals(List.of(), bob.receive(cut, ALICE, NOW_NS));
    assertEquals(1, bob.handshake.counters().malformed());
    assertEquals(1, bob.receive(init, ALICE, NOW_NS).size());
  }

  @Test
  void shouldReadOnlyExactFrames() {
    byte[] init = init();
    byte[] reply = only(bob.receive(init, ALICE, NOW_NS));
    byte[] finish = only(alice.receive(reply, BOB, NOW_NS));
    byte[] done = only(bob.receive(finish, ALICE, NOW_NS));
    byte[] reject = PskEncoder.reject(null, 1, RejectReason.WRONG_KEY, Nonce.NONE);
    PskDatagram view = new PskDatagram();
    PskDatagram.Kind[] kinds = PskDatagram.Kind.values();
    for (byte[] genuine : List.of(init, reply, finish, done, reject)) {
      PskDatagram.Kind kind = view.wrap(new SegmentBuffer(genuine), 0, genuine.length);
      assertEquals(kinds[genuine[6] - 64], kind);
      // frame length, block length, template, schema, version of the schema
      for (int at : new int[] {2, 3, 4, 5, 6, 7, 8}) {
        byte[] forged = genuine.clone();
        forged[at] = (byte) (forged[at] + 32);
        assertEquals(
            PskDatagram.Kind.MALFORMED,
            view.wrap(new SegmentBuffer(forged), 0, forged.length),
            kind + " byte " + at);
      }
      byte[] longer = Arrays.copyOf(genuine, genuine.length + 1);
      assertEquals(
          PskDatagram.Kind.MALFORMED, view.wrap(new SegmentBuffer(longer), 0, longer.length));
    }
  }

  @Test
  void shouldSurviveGarbage() {
    long seed = 200_000;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<byte[]> genuine = new ArrayList<>();
    genuine.add(init());
    genuine.add(only(bob.receive(genuine.get(0), ALICE, NOW_NS)));
    genuine.add(only(alice.receive(genuine.get(1), BOB, NOW_NS)));
    PskNode other = new PskNode("bob", 3);
    genuine.add(only(other.receive(genuine.get(0), ALICE, NOW_NS)));
    byte[] reject = {0x48, 1, 76, 0, 67, 0, 68, 1, 1, 0};
    genuine.add(Arrays.copyOf(reject, 77));
    for (int i = 0; i < 200_000; i++) {
      byte[] datagram = garbage(random, genuine);
      if (genuine.stream().anyMatch(bytes -> Arrays.equals(bytes, datagram))) {
        continue;
      }
      List<PskNode.Sent> answers = new ArrayList<>();
      answers.addAll(alice.receive(datagram, random.nextInt(3), NOW_NS + i));
      answers.addAll(bob.receive(datagram, random.nextInt(3), NOW_NS + i));
      for (PskNode.Sent answer : answers) {
        assertTrue(answer.bytes().length <= datagram.length, answer::toString);
      }
      assertEquals(List.of(), alice.ended);
      assertEquals(List.of(), bob.ended);
    }
    assertTrue(bob.handshake.counters().malformed() > 10_000);
    assertTrue(bob.handshake.counters().otherVersions() > 1_000);
    assertTrue(bob.handshake.counters().wrongKeys() > 1_000);
    assertTrue(bob.handshake.counters().forged() > 1_000);
    assertTrue(alice.handshake.counters().unknown() > 1_000);
    byte[] done = only(bob.receive(genuine.get(2), ALICE, NOW_NS));
    alice.receive(done, BOB, NOW_NS);
    assertEquals(1, alice.established().size());
    assertEquals(1, bob.established().size());
  }

  private static byte[] garbage(Random random, List<byte[]> genuine) {
    if (random.nextInt(4) == 0) {
      byte[] noise = new byte[random.nextInt(1_400)];
      random.nextBytes(noise);
      if (noise.length > 1 && random.nextBoolean()) {
        noise[0] = 0x48;
        noise[1] = 1;
      }
      return noise;
    }
    byte[] base = genuine.get(random.nextInt(genuine.size())).clone();
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(3) == 0 ? random.nextInt(12) : random.nextInt(base.length);
      base[Math.min(at, base.length - 1)] += (byte) (1 + random.nextInt(255));
    }
    if (random.nextInt(5) == 0) {
      return Arrays.copyOf(base, random.nextInt(1_300));
    }
    return base;
  }
}
