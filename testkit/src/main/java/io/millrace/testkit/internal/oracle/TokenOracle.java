package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricObserver;
import io.millrace.testkit.internal.fabric.WriteView;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.internal.oracle.ShadowRegion.Phase;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.DataChunkDecoder;
import io.millrace.wire.codec.RegionDisposition;
import io.millrace.wire.codec.RegionGrantDecoder;
import io.millrace.wire.codec.RegionRevokeDecoder;
import io.millrace.wire.codec.TransferAckDecoder;
import io.millrace.wire.codec.WriteNotifyDecoder;
import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Write tokens as both ends see the tokens; rules W-2, W-3, W-7, W-8 and W-15. A sender writes and
 * announces only within its permission, as long as this permission is not revoked ({@link
 * ShadowToken}, stepped by the packets that the sender opens). A receiver announces only the state
 * of its regions ({@link ShadowRegion}, stepped by the changes of the regions). Checked when
 * packets are sealed and writes are posted. Lying nodes are exempt.
 */
final class TokenOracle implements Oracle, CipherObserver, FabricObserver {
  static final String NAME = "written as authorised";

  private final Simulation simulation;
  private final FullCluster cluster;
  private final GrantedKeys granted;
  private final Long2ObjectHashMap<ShadowToken> tokens = new Long2ObjectHashMap<>();
  private final DataChunkDecoder chunk = new DataChunkDecoder();
  private final WriteNotifyDecoder notice = new WriteNotifyDecoder();
  private final RegionGrantDecoder grant = new RegionGrantDecoder();
  private final TransferAckDecoder ack = new TransferAckDecoder();
  private final RegionRevokeDecoder revoke = new RegionRevokeDecoder();
  private final FrameVisitor sealed = this::onSealed;
  private final FrameVisitor opened = this::onOpened;
  // Looked up only, never walked.
  private final Set<Told> told = new HashSet<>();
  private long writes;
  private long statements;

  /** A token given by a receiver. */
  private record Told(LifePath path, long region, long key) {}

  /** Watches ciphers, and the fabric if the cluster has a fabric, before the first node boots. */
  TokenOracle(FullCluster cluster, GrantedKeys granted) {
    simulation = cluster.simulation();
    this.cluster = cluster;
    this.granted = granted;
    cluster.observeCiphers(this);
    if (cluster.hasFabric()) {
      cluster.fabrics().forEach(fabric -> fabric.observe(this));
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Chunks, announcements and one-sided writes looked at so far. */
  long writes() {
    return writes;
  }

  /** Tokens and ends of fills announced by receivers and looked at so far. */
  long statements() {
    return statements;
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    FrameVisitor.visit(packet, opened);
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    if (packet.buffer().getByte(packet.offset()) != PacketHeader.FORM_CHUNKS) {
      FrameVisitor.visit(packet, sealed);
      return;
    }
    int end = packet.bodyOffset() + packet.bodyLength();
    for (int at = packet.bodyOffset(); at < end; at += PacketHeader.CHUNK_LENGTH) {
      onChunk(packet, at);
    }
  }

  private void onOpened(PlainPacket packet, int template, int frame) {
    DirectBuffer buffer = packet.buffer();
    int at = frame + FrameStart.LENGTH;
    int block = FrameStart.blockLength(buffer, frame);
    int version = FrameStart.version(buffer, frame);
    LifePath path = LifePath.of(packet);
    switch (template) {
      case RegionGrantDecoder.TEMPLATE_ID -> {
        for (RegionGrantDecoder.TokensDecoder token :
            grant.wrap(buffer, at, block, version).tokens()) {
          learn(path, token);
        }
      }
      case TransferAckDecoder.TEMPLATE_ID -> {
        for (TransferAckDecoder.RegionsDecoder end :
            ack.wrap(buffer, at, block, version).regions()) {
          learn(path, end);
        }
      }
      case RegionRevokeDecoder.TEMPLATE_ID -> {
        for (RegionRevokeDecoder.RegionsDecoder end :
            revoke.wrap(buffer, at, block, version).regions()) {
          onVoid(path, end.key());
        }
      }
      default -> {
        // This frame says nothing about tokens.
      }
    }
  }

  private void learn(LifePath path, RegionGrantDecoder.TokensDecoder token) {
    tokens
        .computeIfAbsent(
            token.key(),
            key ->
                new ShadowToken(
                    path, (int) token.region(), token.address(), (int) token.sizeBytes()))
        .onGrant((int) token.fill(), (int) token.authorisedBytes());
  }

  private void learn(LifePath path, TransferAckDecoder.RegionsDecoder end) {
    ShadowToken token = tokens.get(end.key());
    if (end.disposition() == RegionDisposition.REVOKED) {
      onVoid(path, end.key());
    } else if (token != null) {
      token.onConsumed((int) end.fill(), (int) end.authorisedBytes());
    }
  }

  private void onVoid(LifePath path, long key) {
    ShadowToken token = tokens.get(key);
    if (token != null && token.isOf(path)) {
      token.onVoid();
    }
  }

  private void onSealed(PlainPacket packet, int template, int frame) {
    DirectBuffer buffer = packet.buffer();
    int at = frame + FrameStart.LENGTH;
    int block = FrameStart.blockLength(buffer, frame);
    int version = FrameStart.version(buffer, frame);
    switch (template) {
      case DataChunkDecoder.TEMPLATE_ID -> onChunk(packet, frame);
      case WriteNotifyDecoder.TEMPLATE_ID -> {
        notice.wrap(buffer, at, block, version);
        onNotice(LifePath.of(packet));
      }
      case RegionGrantDecoder.TEMPLATE_ID -> {
        for (RegionGrantDecoder.TokensDecoder token :
            grant.wrap(buffer, at, block, version).tokens()) {
          told.add(new Told(LifePath.of(packet), token.region(), token.key()));
          tell(packet, token.key(), token.fill(), token.authorisedBytes(), "grants");
        }
      }
      case TransferAckDecoder.TEMPLATE_ID -> {
        for (TransferAckDecoder.RegionsDecoder end :
            ack.wrap(buffer, at, block, version).regions()) {
          if (end.disposition() == RegionDisposition.REVOKED) {
            tellVoid(packet, end.region(), end.key());
          } else {
            tell(packet, end.key(), end.fill() + 1, end.authorisedBytes(), "returns");
          }
        }
      }
      case RegionRevokeDecoder.TEMPLATE_ID -> {
        for (RegionRevokeDecoder.RegionsDecoder end :
            revoke.wrap(buffer, at, block, version).regions()) {
          tellVoid(packet, end.region(), end.key());
        }
      }
      default -> {
        // This frame says nothing about tokens.
      }
    }
  }

  private void onNotice(LifePath path) {
    for (WriteNotifyDecoder.RegionsDecoder fill : notice.regions()) {
      writes++;
      ShadowToken token = tokens.get(fill.key());
      int region = (int) fill.region();
      String wrong =
          token == null
              ? "never given to this node"
              : token.announce(path, region, (int) fill.fill(), fill.lengthBytes());
      if (wrong != null) {
        fail(
            path.life().node().number(),
            Lives.text(path.life()),
            "announces " + fill.lengthBytes() + " bytes under a key " + wrong);
      }
    }
  }

  private void onChunk(PlainPacket packet, int frame) {
    DirectBuffer buffer = packet.buffer();
    chunk.wrap(
        buffer,
        frame + FrameStart.LENGTH,
        FrameStart.blockLength(buffer, frame),
        FrameStart.version(buffer, frame));
    onWrite(
        LifePath.of(packet),
        (int) chunk.region(),
        (int) chunk.fill(),
        chunk.key(),
        chunk.at(),
        chunk.length());
  }

  private void onWrite(LifePath path, int region, int fill, long key, long at, long length) {
    writes++;
    ShadowToken token = tokens.get(key);
    String wrong =
        token == null ? "never given to this node" : token.write(path, region, fill, at, length);
    if (wrong != null) {
      fail(
          path.life().node().number(),
          Lives.text(path.life()),
          "writes " + length + " bytes under a key " + wrong);
    }
  }

  @Override
  public void onPosted(WriteView write, long nowNs) {
    writes++;
    ShadowToken token = tokens.get(granted.name(write.remoteKey()));
    String wrong =
        token == null
            ? "never given to any node"
            : token.place(write.remoteAddress(), write.length());
    if (wrong != null) {
      fail(
          write.node(),
          "write " + write.ordinal() + " on link " + Long.toHexString(write.link()),
          "puts " + write.length() + " bytes under a key " + wrong);
    }
  }

  private void tell(PlainPacket packet, long key, long fill, long bytes, String what) {
    statements++;
    ShadowRegion region = granted.region(key);
    boolean isRight =
        region != null
            && region.key == key
            && region.phase != Phase.VOID
            && region.phase != Phase.READING_VOID
            && region.fill == fill
            && bytes <= region.authorisedBytes;
    if (!isRight) {
      fail(packet, what + " " + bytes + " bytes of fill " + fill, region);
    }
  }

  /**
   * Checks a notice that a key is void. A peer that asks about a token never given to this peer
   * gets such a notice in any case, whoever may use the region.
   */
  private void tellVoid(PlainPacket packet, long number, long key) {
    if (!told.contains(new Told(LifePath.of(packet), number, key))) {
      return;
    }
    statements++;
    ShadowRegion region = granted.region(key);
    boolean isVoid =
        region == null
            || region.key != key
            || region.phase == Phase.VOID
            || region.phase == Phase.READING_VOID;
    if (!isVoid) {
      fail(packet, "takes back", region);
    }
  }

  private void fail(PlainPacket packet, String what, @Nullable ShadowRegion region) {
    NodeLife life = packet.key().life();
    fail(life.node().number(), Lives.text(life), what + " of a region that is " + region);
  }

  private void fail(int node, String who, String what) {
    if (!cluster.isLiar(node)) {
      simulation.fail(NAME, who + " " + what, null);
    }
  }
}
