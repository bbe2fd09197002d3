package io.millrace.samples.sim;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.millrace.samples.sim.PacketFrames.Token;
import io.millrace.testkit.internal.node.PacketTamper;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.DataChunkDecoder;
import io.millrace.wire.codec.RegionGrantDecoder;
import io.millrace.wire.codec.RegionRevokeDecoder;
import io.millrace.wire.codec.RequestRegionsDecoder;
import io.millrace.wire.codec.WriteNotifyDecoder;
import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes an honest transport send wrong messages, from {@link #begin} on. The attacker also knows
 * the victim's grants to another peer, which is more than an attacker could know.
 */
final class Attacker implements PacketTamper {
  private static final int GROUP_HEADER = 2;
  private static final int FAR = 1 << 20;
  private static final int NO_REGION = 9_999;
  private static final long ENDLESS = 1L << 40;

  private final int attacker;
  private final int honest;
  private final Attack attack;
  private @Nullable Token foreign;
  private @Nullable Token revoked;
  private @Nullable Token announced;
  private int announcedFill;
  private byte[] notice = {};
  private boolean hasBegun;
  private long attempts;
  private int honestChunks;
  // Looked up only, never walked.
  private final Set<Sealed> attacks = new HashSet<>();

  private record Sealed(long path, long number) {
    static Sealed of(PlainPacket packet) {
      return new Sealed(PacketHeader.pathId(packet.buffer(), packet.offset()), packet.number());
    }
  }

  Attacker(Attack attack, int attacker, int honest) {
    this.attack = attack;
    this.attacker = attacker;
    this.honest = honest;
  }

  void begin() {
    hasBegun = true;
  }

  /** Returns the number of changed frames. */
  long attempts() {
    return attempts;
  }

  /** Returns whether a packet holds an attack, and no chunk that may land. */
  boolean isAttack(PlainPacket packet) {
    return attacks.contains(Sealed.of(packet));
  }

  /** Returns whether the attacker knows all that the attack needs. */
  boolean isReady() {
    return switch (attack) {
      case FOREIGN_REGION, FOREIGN_NOTIFY -> foreign != null;
      case REVOKED_REGION -> revoked != null;
      default -> true;
    };
  }

  @Override
  public boolean isLiar(int node) {
    return node == attacker;
  }

  @Override
  public void onOpened(PlainPacket packet, MutableDirectBuffer bytes) {
    int node = packet.key().life().node().number();
    PacketFrames.visit(
        packet, bytes, (template, block, length) -> learn(node, template, bytes, block));
  }

  private void learn(int node, int template, DirectBuffer bytes, int block) {
    if (node == honest && template == RegionGrantDecoder.TEMPLATE_ID) {
      PacketFrames.granted(bytes, block, token -> foreign = token);
    } else if (node == attacker && template == RegionRevokeDecoder.TEMPLATE_ID) {
      PacketFrames.revoked(bytes, block, token -> revoked = token);
    }
  }

  @Override
  public void onSealing(PlainPacket packet, MutableDirectBuffer bytes) {
    if (packet.key().life().node().number() != attacker || !hasBegun) {
      return;
    }
    long before = attempts;
    honestChunks = 0;
    PacketFrames.visit(
        packet,
        bytes,
        (template, block, length) -> {
          if (template == DataChunkDecoder.TEMPLATE_ID) {
            long attemptsBefore = attempts;
            onChunk(packet, bytes, block);
            honestChunks += attempts == attemptsBefore ? 1 : 0;
          } else if (template == WriteNotifyDecoder.TEMPLATE_ID) {
            onNotify(bytes, block, length);
          } else if (template == RequestRegionsDecoder.TEMPLATE_ID) {
            onRequest(bytes, block);
          }
        });
    if (attempts > before && honestChunks == 0) {
      attacks.add(Sealed.of(packet));
    }
  }

  private void onChunk(PlainPacket packet, MutableDirectBuffer bytes, int block) {
    int regionAt = block + DataChunkDecoder.regionEncodingOffset();
    int fillAt = block + DataChunkDecoder.fillEncodingOffset();
    int keyAt = block + DataChunkDecoder.keyEncodingOffset();
    int atAt = block + DataChunkDecoder.atEncodingOffset();
    long before = attempts++;
    switch (attack) {
      case FOREIGN_REGION -> put(bytes, regionAt, keyAt, foreign);
      case REVOKED_REGION -> put(bytes, regionAt, keyAt, revoked);
      case GUESSED_KEY, HOARDED_TOKENS -> bytes.putLong(keyAt, bytes.getLong(keyAt) ^ 1);
      case UNKNOWN_REGION -> bytes.putInt(regionAt, NO_REGION, LITTLE_ENDIAN);
      case BEYOND_THE_END -> bytes.putInt(atAt, FAR, LITTLE_ENDIAN);
      case EARLY_WRITE ->
          bytes.putInt(fillAt, bytes.getInt(fillAt, LITTLE_ENDIAN) + 1, LITTLE_ENDIAN);
      case LATE_WRITE -> {
        int fill = bytes.getInt(fillAt, LITTLE_ENDIAN);
        attempts = fill > 1 ? attempts : before;
        bytes.putInt(fillAt, Math.max(1, fill - 1), LITTLE_ENDIAN);
      }
      case CHANGED_AFTER_NOTIFY -> {
        Token waiting = announced;
        boolean isOther =
            waiting != null && bytes.getInt(regionAt, LITTLE_ENDIAN) != waiting.region();
        attempts = isOther ? attempts : before;
        if (isOther) {
          put(bytes, regionAt, keyAt, waiting);
          bytes.putInt(fillAt, announcedFill, LITTLE_ENDIAN);
          bytes.putInt(atAt, 0, LITTLE_ENDIAN);
        }
      }
      case BAD_DATA -> {
        int behindTag = packet.bodyOffset() + packet.bodyLength() + PacketHeader.TAG_LENGTH;
        bytes.putByte(behindTag, (byte) ~bytes.getByte(behindTag));
      }
      default -> attempts = before;
    }
  }

  /** Wants regions at the best priority, and will never write a byte. */
  private void onRequest(MutableDirectBuffer bytes, int block) {
    int entry = block + RequestRegionsDecoder.BLOCK_LENGTH + GROUP_HEADER;
    if (attack == Attack.HOARDED_TOKENS) {
      // The first level; the frame has all levels.
      bytes.putLong(
          entry + RequestRegionsDecoder.WantsDecoder.bytesEncodingOffset(), ENDLESS, LITTLE_ENDIAN);
      bytes.putInt(
          entry + RequestRegionsDecoder.WantsDecoder.largestBytesEncodingOffset(),
          FAR,
          LITTLE_ENDIAN);
    }
  }

  private void onNotify(MutableDirectBuffer bytes, int block, int length) {
    int entry = block + WriteNotifyDecoder.BLOCK_LENGTH + GROUP_HEADER;
    int regionAt = entry + WriteNotifyDecoder.RegionsDecoder.regionEncodingOffset();
    int keyAt = entry + WriteNotifyDecoder.RegionsDecoder.keyEncodingOffset();
    long before = attempts++;
    switch (attack) {
      case FORGED_NOTIFY, HOARDED_TOKENS -> bytes.putLong(keyAt, bytes.getLong(keyAt) ^ 1);
      case FOREIGN_NOTIFY -> put(bytes, regionAt, keyAt, foreign);
      case CHANGED_AFTER_NOTIFY -> {
        attempts = before;
        announced = announced == null ? lastWaiting(bytes, block) : announced;
      }
      case REPLAYED_NOTIFY -> {
        if (notice.length == length) {
          bytes.putBytes(block, notice);
        } else {
          attempts = before;
          notice = new byte[length];
          bytes.getBytes(block, notice);
        }
      }
      default -> attempts = before;
    }
  }

  /**
   * Returns the last fill of a notification, unless this fill is the first of its body, which does
   * not wait.
   */
  private @Nullable Token lastWaiting(DirectBuffer bytes, int block) {
    long position =
        bytes.getLong(block + WriteNotifyDecoder.positionEncodingOffset(), LITTLE_ENDIAN);
    int last = bytes.getByte(block + WriteNotifyDecoder.BLOCK_LENGTH + 1) - 1;
    if (last < 0 || position == 0 && last == 0) {
      return null;
    }
    int entry =
        block
            + WriteNotifyDecoder.BLOCK_LENGTH
            + GROUP_HEADER
            + last * WriteNotifyDecoder.RegionsDecoder.sbeBlockLength();
    int fillAt = entry + WriteNotifyDecoder.RegionsDecoder.fillEncodingOffset();
    announcedFill = bytes.getInt(fillAt, LITTLE_ENDIAN);
    return new Token(
        bytes.getInt(
            entry + WriteNotifyDecoder.RegionsDecoder.regionEncodingOffset(), LITTLE_ENDIAN),
        bytes.getLong(entry + WriteNotifyDecoder.RegionsDecoder.keyEncodingOffset(), LITTLE_ENDIAN),
        0,
        0,
        0);
  }

  private static void put(
      MutableDirectBuffer bytes, int regionAt, int keyAt, @Nullable Token token) {
    if (token != null) {
      bytes.putInt(regionAt, token.region(), LITTLE_ENDIAN);
      bytes.putLong(keyAt, token.key(), LITTLE_ENDIAN);
    }
  }
}
