package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Sealer and opener of a path together: rotation, the window of old keys, and attempts of forgers.
 */
class ControlSealerTest {
  private static final int HEADER = 24;
  private static final int BODY = 40;
  private static final int PACKET = HEADER + BODY + PacketCipher.TAG_LENGTH;
  private static final WorkerPair WORKERS = new WorkerPair(2, 5);
  private static final PathDirection DIRECTION = PathDirection.INITIATOR_TO_RESPONDER;

  private final AeadProvider provider = AeadProviders.discover().select(64);
  private final ControlKeys senderKeys = keys();
  private final ControlKeys receiverKeys = keys();
  private final SegmentBuffer buffer = new SegmentBuffer(ByteBuffer.allocateDirect(PACKET));

  private static ControlKeys keys() {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) 9);
    return new ControlKeys(new PathSecret(secret), AesKeySize.AES_128);
  }

  private ControlSealer sealer(KeyLimits limits) {
    return new ControlSealer(senderKeys, provider, DIRECTION, WORKERS, limits);
  }

  private ControlOpener opener() {
    return new ControlOpener(receiverKeys, provider, DIRECTION, WORKERS);
  }

  private record Packet(int keyId, long number, byte[] bytes) {}

  private Packet seal(ControlSealer sealer, long number) {
    int keyId = sealer.keyIdFor(HEADER + BODY);
    buffer.setMemory(0, HEADER + BODY, (byte) number);
    buffer.putInt(4, keyId);
    buffer.putLong(16, number);
    sealer.seal(buffer, 0, HEADER, BODY, number);
    byte[] bytes = new byte[PACKET];
    buffer.getBytes(0, bytes);
    return new Packet(keyId, number, bytes);
  }

  private boolean open(ControlOpener opener, Packet packet) {
    buffer.putBytes(0, packet.bytes());
    return opener.open(buffer, 0, HEADER, BODY, packet.keyId(), packet.number())
        && buffer.getByte(HEADER + BODY - 1) == (byte) packet.number();
  }

  @Test
  void shouldRotateByPackets() {
    try (ControlSealer sealer = sealer(new KeyLimits(10, KeyLimits.MAX_BYTES));
        ControlOpener opener = opener()) {
      for (int number = 0; number < 95; number++) {
        Packet packet = seal(sealer, number);
        assertEquals(number / 10, packet.keyId());
        assertTrue(open(opener, packet), "packet " + number);
      }
      assertEquals(95, opener.openedPackets());
      assertEquals(9, opener.newestKeyId());
      assertEquals(10, senderKeys.derivations());
      assertEquals(10, receiverKeys.derivations());
    }
  }

  @Test
  void shouldRotateByBytes() {
    try (ControlSealer sealer =
        sealer(new KeyLimits(KeyLimits.MAX_PACKETS, 3L * (HEADER + BODY)))) {
      for (int number = 0; number < 12; number++) {
        assertEquals(number / 3, seal(sealer, number).keyId());
      }
      assertThrows(IllegalStateException.class, () -> sealer.keyIdFor(3 * (HEADER + BODY) + 1));
    }
  }

  @Test
  void shouldOpenPacketsThatOvertakeARotation() {
    long seed = 77;
    System.out.println("seed " + seed);
    try (ControlSealer sealer = sealer(new KeyLimits(4, KeyLimits.MAX_BYTES));
        ControlOpener opener = opener()) {
      List<Packet> packets = new ArrayList<>();
      for (int number = 0; number < 32; number++) {
        packets.add(seal(sealer, number));
      }
      Collections.shuffle(packets, new Random(seed));
      for (Packet packet : packets) {
        assertTrue(open(opener, packet), packet::toString);
      }
      assertEquals(0, opener.badTags() + opener.unknownKeys());
    }
  }

  @Test
  void shouldGoOnAfterWholeKeysWereLost() {
    try (ControlSealer sealer = sealer(KeyLimits.DEFAULT);
        ControlOpener opener = opener()) {
      for (int i = 0; i < ControlOpener.KEYS_AHEAD; i++) {
        sealer.rotate();
      }
      Packet ahead = seal(sealer, 100);
      assertTrue(open(opener, ahead));
      assertEquals(ControlOpener.KEYS_AHEAD, opener.newestKeyId());
    }
  }

  @Test
  void shouldAcceptOnlyTheWindowAroundTheNewestKey() {
    try (ControlSealer sealer = sealer(KeyLimits.DEFAULT);
        ControlOpener opener = opener()) {
      List<Packet> packets = new ArrayList<>();
      for (int i = 0; i <= 40; i++) {
        packets.add(seal(sealer, i));
        sealer.rotate();
      }
      assertFalse(opener.canOpen(9));
      assertFalse(open(opener, packets.get(9)), "nine ahead of key 0");
      assertTrue(opener.canOpen(8));
      assertTrue(open(opener, packets.get(8)));
      assertTrue(opener.canOpen(1));
      assertFalse(opener.canOpen(0));
      assertFalse(opener.canOpen(-1), "the largest");
      assertTrue(open(opener, packets.get(1)));
      assertFalse(open(opener, packets.get(0)), "eight behind");
      assertTrue(open(opener, packets.get(16)));
      assertTrue(open(opener, packets.get(9)));
      assertFalse(open(opener, packets.get(8)));
      assertFalse(open(opener, packets.get(25)));
      assertEquals(4, opener.unknownKeys());
      assertEquals(0, opener.badTags());
    }
  }

  @Test
  void shouldNotLetForgedPacketsMoveTheWindowOrCostMore() {
    long seed = 5;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    try (ControlSealer sealer = sealer(KeyLimits.DEFAULT);
        ControlOpener opener = opener()) {
      byte[] garbage = new byte[PACKET];
      for (int i = 0; i < 20_000; i++) {
        random.nextBytes(garbage);
        int keyId = (i & 1) == 0 ? random.nextInt() : random.nextInt(64);
        assertFalse(open(opener, new Packet(keyId, random.nextLong(), garbage)));
      }
      assertTrue(receiverKeys.derivations() <= ControlOpener.KEYS_AHEAD + 1);
      assertEquals(0, opener.newestKeyId());
      assertEquals(20_000, opener.badTags() + opener.unknownKeys());
      assertTrue(open(opener, seal(sealer, 1)));
    }
  }

  @Test
  void shouldSealNothingOnceAllKeysAreUsed() throws Exception {
    try (ControlSealer sealer = sealer(new KeyLimits(1, 1 << 20));
        ControlOpener opener = opener()) {
      Packet first = seal(sealer, 0);
      Field keyId = ControlSealer.class.getDeclaredField("keyId");
      keyId.setAccessible(true);
      keyId.setInt(sealer, -1);
      assertThrows(IllegalStateException.class, () -> seal(sealer, 1));
      assertThrows(IllegalStateException.class, sealer::rotate);
      assertEquals(-1, sealer.keyId(), "it does not begin anew");
      assertTrue(open(opener, first));
    }
  }

  @Test
  void shouldStopAcceptingRetiredKeys() {
    try (ControlSealer sealer = sealer(KeyLimits.DEFAULT);
        ControlOpener opener = opener()) {
      Packet zero = seal(sealer, 0);
      sealer.rotate();
      Packet one = seal(sealer, 1);
      sealer.rotate();
      Packet two = seal(sealer, 2);
      assertTrue(open(opener, two));
      assertTrue(opener.retire(0));
      assertFalse(open(opener, zero));
      assertTrue(open(opener, one));
      assertTrue(opener.retire(-1));
      assertFalse(opener.retire(-1));
      assertFalse(open(opener, one));
      assertTrue(open(opener, two), "the newest key cannot be retired");
    }
  }

  @Test
  void shouldNeverUseAKeyAndNonceTwiceAcrossRotations() {
    Set<Long> seen = new HashSet<>();
    try (ControlSealer sealer = sealer(new KeyLimits(3, KeyLimits.MAX_BYTES))) {
      for (long number = 0; number < 1_000; number++) {
        Packet packet = seal(sealer, number);
        assertTrue(seen.add((long) packet.keyId() << 32 | packet.number()));
      }
      assertThrows(IllegalStateException.class, () -> sealer.seal(buffer, 0, HEADER, BODY, 999));
    }
  }

  @Test
  void shouldNotSealAgainFromZeroUnderTheSameSecret() {
    ControlSealer first = sealer(KeyLimits.DEFAULT);
    assertThrows(IllegalStateException.class, () -> sealer(KeyLimits.DEFAULT));
    first.close();
    assertThrows(IllegalStateException.class, () -> sealer(KeyLimits.DEFAULT));
    new ControlSealer(
            senderKeys, provider, PathDirection.RESPONDER_TO_INITIATOR, WORKERS, KeyLimits.DEFAULT)
        .close();
    new ControlSealer(senderKeys, provider, DIRECTION, new WorkerPair(5, 2), KeyLimits.DEFAULT)
        .close();
  }

  @Test
  void shouldRejectTheOtherDirectionAndOtherWorkers() {
    try (ControlSealer sealer = sealer(KeyLimits.DEFAULT);
        ControlOpener reverse =
            new ControlOpener(
                receiverKeys, provider, PathDirection.RESPONDER_TO_INITIATOR, WORKERS);
        ControlOpener others =
            new ControlOpener(receiverKeys, provider, DIRECTION, new WorkerPair(5, 2))) {
      Packet packet = seal(sealer, 0);
      assertFalse(open(reverse, packet));
      assertFalse(open(others, packet));
      assertEquals(1, reverse.badTags());
    }
  }

  @Test
  void shouldDoNothingOnceClosed() {
    ControlSealer sealer = sealer(KeyLimits.DEFAULT);
    ControlOpener opener = opener();
    Packet packet = seal(sealer, 0);
    sealer.close();
    sealer.close();
    opener.close();
    opener.close();
    assertThrows(IllegalStateException.class, () -> seal(sealer, 1));
    assertThrows(IllegalStateException.class, () -> open(opener, packet));
  }
}
