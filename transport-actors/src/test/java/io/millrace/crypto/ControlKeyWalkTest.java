package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The standing of a key in a real {@link ControlOpener}, and the effect of each input on the
 * standing.
 */
class ControlKeyWalkTest {
  private static final int KEY = 20;
  private static final int KEYS = 48;
  private static final int HEADER = 24;
  private static final int BODY = 40;
  private static final int PACKET = HEADER + BODY + PacketCipher.TAG_LENGTH;
  private static final WorkerPair WORKERS = new WorkerPair(2, 5);
  private static final PathDirection DIRECTION = PathDirection.INITIATOR_TO_RESPONDER;
  private static final Pattern SPACES = Pattern.compile(" +");

  private static final String TABLE =
      """
      standing OWN      ONE_LATER EIGHT_LATER FORGED   RETIRE_BEFORE RETIRE_IT
      TOO_FAR  TOO_FAR  TOO_FAR   NEXT        TOO_FAR  TOO_FAR       TOO_FAR
      NEXT     CURRENT  NEXT      PREVIOUS    NEXT     NEXT          NEXT
      CURRENT  CURRENT  PREVIOUS  RETIRED     CURRENT  CURRENT       CURRENT
      PREVIOUS PREVIOUS PREVIOUS  RETIRED     PREVIOUS PREVIOUS      RETIRED
      RETIRED  RETIRED  RETIRED   RETIRED     RETIRED  RETIRED       RETIRED
      """;

  /** The standing of the key, with the newest key that leads to this standing. */
  enum Standing {
    TOO_FAR(10),
    NEXT(15),
    CURRENT(20),
    PREVIOUS(21),
    RETIRED(28);

    private final int newest;

    Standing(int newest) {
      this.newest = newest;
    }
  }

  /** A packet under the key, a packet under a later key than the newest, or a retirement. */
  private enum Input {
    OWN,
    ONE_LATER,
    EIGHT_LATER,
    FORGED,
    RETIRE_BEFORE,
    RETIRE_IT
  }

  private final AeadProvider provider = AeadProviders.discover().select(64);
  private final SegmentBuffer buffer = new SegmentBuffer(ByteBuffer.allocateDirect(PACKET));
  private final byte[][] packets = sealed();

  private static ControlKeys keys() {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) 9);
    return new ControlKeys(new PathSecret(secret), AesKeySize.AES_128);
  }

  /** Seals a packet under each key; the number of a packet is the number of its key. */
  private byte[][] sealed() {
    byte[][] made = new byte[KEYS][PACKET];
    try (ControlSealer sealer =
        new ControlSealer(keys(), provider, DIRECTION, WORKERS, KeyLimits.DEFAULT)) {
      for (int key = 0; key < KEYS; key++) {
        assertEquals(key, sealer.keyIdFor(HEADER + BODY));
        buffer.setMemory(0, HEADER + BODY, (byte) key);
        sealer.seal(buffer, 0, HEADER, BODY, key);
        buffer.getBytes(0, made[key]);
        sealer.rotate();
      }
    }
    return made;
  }

  @ParameterizedTest
  @EnumSource(Standing.class)
  void shouldFollowTheTableFromEveryStanding(Standing from) {
    for (Input input : Input.values()) {
      try (ControlOpener opener = new ControlOpener(keys(), provider, DIRECTION, WORKERS)) {
        while (opener.newestKeyId() < from.newest) {
          assertTrue(open(opener, Math.min(opener.newestKeyId() + 8, from.newest), false));
        }
        assertEquals(from, standing(opener));
        apply(opener, input);
        assertEquals(cell(from, input), standing(opener).name(), from + " " + input);
      }
    }
  }

  private void apply(ControlOpener opener, Input input) {
    boolean isAccepted = opener.canOpen(KEY);
    switch (input) {
      case OWN -> assertEquals(isAccepted, open(opener, KEY, false));
      case ONE_LATER -> assertTrue(open(opener, opener.newestKeyId() + 1, false));
      case EIGHT_LATER -> assertTrue(open(opener, opener.newestKeyId() + 8, false));
      case FORGED -> assertEquals(false, open(opener, opener.newestKeyId() + 8, true));
      case RETIRE_BEFORE -> opener.retire(KEY - 1);
      case RETIRE_IT -> opener.retire(KEY);
    }
  }

  private boolean open(ControlOpener opener, int key, boolean isForged) {
    buffer.putBytes(0, packets[key]);
    if (isForged) {
      buffer.putByte(HEADER, (byte) ~buffer.getByte(HEADER));
    }
    return opener.open(buffer, 0, HEADER, BODY, key, key);
  }

  private static Standing standing(ControlOpener opener) {
    int newest = opener.newestKeyId();
    if (!opener.canOpen(KEY)) {
      return newest < KEY ? Standing.TOO_FAR : Standing.RETIRED;
    }
    return newest == KEY ? Standing.CURRENT : newest < KEY ? Standing.NEXT : Standing.PREVIOUS;
  }

  private static String cell(Standing row, Input column) {
    String[] lines = TABLE.lines().toArray(String[]::new);
    String[] cells = SPACES.split(lines[1 + row.ordinal()], -1);
    assertEquals(row.name(), cells[0]);
    assertEquals(column.name(), SPACES.split(lines[0], -1)[1 + column.ordinal()]);
    return cells[1 + column.ordinal()];
  }
}
