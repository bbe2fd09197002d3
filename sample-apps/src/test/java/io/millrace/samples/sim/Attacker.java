package io.millrace.samples.sim;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.millrace.testkit.sim.node.PacketTamper;
import io.millrace.testkit.sim.node.PlainPacket;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.DataChunkDecoder;
import io.millrace.wire.codec.RegionGrantDecoder;
import io.millrace.wire.codec.RegionRevokeDecoder;
import io.millrace.wire.codec.WriteNotifyDecoder;
import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes an honest transport say what is wrong, from {@link #begin} on. It knows what the victim has
 * granted to another peer, which is more than an attacker could know.
 */
final class Attacker implements PacketTamper {
  private static final int GROUP_HEADER = 2;
  private static final int FAR = 1 << 20;
  private static final int NO_REGION = 9_999;

  private final int attacker;
  private final int honest;
  private final Attack attack;
  private @Nullable Token foreign;
  private @Nullable Token revoked;
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

  private record Token(int region, long key) {}

  Attacker(Attack attack, int attacker, int honest) {
    this.attack = attack;
    this.attacker = attacker;
    this.honest = honest;
  }

  void begin() {
    hasBegun = true;
  }

  /** Frames that were changed. */
  long attempts() {
    return attempts;
  }

  /** Whether a packet holds an attack, and no chunk that may land. */
  boolean isAttack(PlainPacket packet) {
    return attacks.contains(Sealed.of(packet));
  }

  /** Whether it knows what it needs to know. */
  boolean isReady() {
    return switch (attack) {
      case FOREIGN_REGION, FOREIGN_NOTIFY -> foreign != null;
      case REVOKED_REGION -> revoked != null;
      default -> true;
    };
  }

  private interface FrameVisitor {
    void onFrame(int template, int block, int length);
  }

  private static void visit(PlainPacket packet, DirectBuffer bytes, FrameVisitor visitor) {
    int end = packet.bodyOffset() + packet.bodyLength();
    int at = packet.bodyOffset();
    while (at + FrameStart.LENGTH <= end && FrameStart.frameLength(bytes, at) > 0) {
      int length = FrameStart.frameLength(bytes, at);
      visitor.onFrame(
          FrameStart.templateId(bytes, at), at + FrameStart.LENGTH, length - FrameStart.LENGTH);
      at += length;
    }
  }

  @Override
  public void onOpened(PlainPacket packet, MutableDirectBuffer bytes) {
    int node = packet.key().life().node().number();
    visit(packet, bytes, (template, block, length) -> learn(node, template, bytes, block));
  }

  private void learn(int node, int template, DirectBuffer bytes, int block) {
    if (node == honest && template == RegionGrantDecoder.TEMPLATE_ID) {
      RegionGrantDecoder grant =
          new RegionGrantDecoder()
              .wrap(
                  bytes, block, RegionGrantDecoder.BLOCK_LENGTH, RegionGrantDecoder.SCHEMA_VERSION);
      for (RegionGrantDecoder.TokensDecoder token : grant.tokens()) {
        foreign = new Token((int) token.region(), token.key());
      }
    } else if (node == attacker && template == RegionRevokeDecoder.TEMPLATE_ID) {
      RegionRevokeDecoder revoke =
          new RegionRevokeDecoder()
              .wrap(
                  bytes,
                  block,
                  RegionRevokeDecoder.BLOCK_LENGTH,
                  RegionRevokeDecoder.SCHEMA_VERSION);
      for (RegionRevokeDecoder.RegionsDecoder region : revoke.regions()) {
        revoked = new Token((int) region.region(), region.key());
      }
    }
  }

  @Override
  public void onSealing(PlainPacket packet, MutableDirectBuffer bytes) {
    if (packet.key().life().node().number() != attacker || !hasBegun) {
      return;
    }
    long before = attempts;
    honestChunks = 0;
    visit(
        packet,
        bytes,
        (template, block, length) -> {
          if (template == DataChunkDecoder.TEMPLATE_ID) {
            long attemptsBefore = attempts;
            onChunk(packet, bytes, block);
            honestChunks += attempts == attemptsBefore ? 1 : 0;
          } else if (template == WriteNotifyDecoder.TEMPLATE_ID) {
            onNotify(bytes, block, length);
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
      case GUESSED_KEY -> bytes.putLong(keyAt, bytes.getLong(keyAt) ^ 1);
      case UNKNOWN_REGION -> bytes.putInt(regionAt, NO_REGION, LITTLE_ENDIAN);
      case BEYOND_THE_END -> bytes.putInt(atAt, FAR, LITTLE_ENDIAN);
      case EARLY_WRITE ->
          bytes.putInt(fillAt, bytes.getInt(fillAt, LITTLE_ENDIAN) + 1, LITTLE_ENDIAN);
      case LATE_WRITE -> {
        int fill = bytes.getInt(fillAt, LITTLE_ENDIAN);
        attempts = fill > 1 ? attempts : before;
        bytes.putInt(fillAt, Math.max(1, fill - 1), LITTLE_ENDIAN);
      }
      case BAD_DATA -> {
        int behindTag = packet.bodyOffset() + packet.bodyLength() + PacketHeader.TAG_LENGTH;
        bytes.putByte(behindTag, (byte) ~bytes.getByte(behindTag));
      }
      default -> attempts = before;
    }
  }

  private void onNotify(MutableDirectBuffer bytes, int block, int length) {
    int entry = block + WriteNotifyDecoder.BLOCK_LENGTH + GROUP_HEADER;
    int regionAt = entry + WriteNotifyDecoder.RegionsDecoder.regionEncodingOffset();
    int keyAt = entry + WriteNotifyDecoder.RegionsDecoder.keyEncodingOffset();
    long before = attempts++;
    switch (attack) {
      case FORGED_NOTIFY -> bytes.putLong(keyAt, bytes.getLong(keyAt) ^ 1);
      case FOREIGN_NOTIFY -> put(bytes, regionAt, keyAt, foreign);
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

  private static void put(
      MutableDirectBuffer bytes, int regionAt, int keyAt, @Nullable Token token) {
    if (token != null) {
      bytes.putInt(regionAt, token.region(), LITTLE_ENDIAN);
      bytes.putLong(keyAt, token.key(), LITTLE_ENDIAN);
    }
  }
}
