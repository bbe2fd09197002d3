package io.millrace.samples.sim;

import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.RegionGrantDecoder;
import io.millrace.wire.codec.RegionRevokeDecoder;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/** Reads the frames of a plain packet, for attackers. */
final class PacketFrames {
  private PacketFrames() {}

  /** Visits frames. */
  interface Visitor {
    /** Visits a frame of this template, with a block of {@code length} bytes at {@code block}. */
    void onFrame(int template, int block, int length);
  }

  /** A token granted to a peer; address and size are 0 if only the name is known. */
  record Token(int region, long key, long address, long sizeBytes, long remoteKey) {}

  /** Visits the frames in order. */
  static void visit(PlainPacket packet, DirectBuffer bytes, Visitor visitor) {
    int end = packet.bodyOffset() + packet.bodyLength();
    int at = packet.bodyOffset();
    while (at + FrameStart.LENGTH <= end && FrameStart.frameLength(bytes, at) > 0) {
      int length = FrameStart.frameLength(bytes, at);
      visitor.onFrame(
          FrameStart.templateId(bytes, at), at + FrameStart.LENGTH, length - FrameStart.LENGTH);
      at += length;
    }
  }

  /** The tokens of a frame that grants. */
  static void granted(DirectBuffer bytes, int block, Consumer<Token> tokens) {
    RegionGrantDecoder grant =
        new RegionGrantDecoder()
            .wrap(bytes, block, RegionGrantDecoder.BLOCK_LENGTH, RegionGrantDecoder.SCHEMA_VERSION);
    for (RegionGrantDecoder.TokensDecoder token : grant.tokens()) {
      tokens.accept(
          new Token(
              (int) token.region(),
              token.key(),
              token.address(),
              token.sizeBytes(),
              token.remoteKey()));
    }
  }

  /** The tokens of a frame that revokes. */
  static void revoked(DirectBuffer bytes, int block, Consumer<Token> tokens) {
    RegionRevokeDecoder revoke =
        new RegionRevokeDecoder()
            .wrap(
                bytes, block, RegionRevokeDecoder.BLOCK_LENGTH, RegionRevokeDecoder.SCHEMA_VERSION);
    for (RegionRevokeDecoder.RegionsDecoder region : revoke.regions()) {
      tokens.accept(new Token((int) region.region(), region.key(), 0, 0, 0));
    }
  }
}
