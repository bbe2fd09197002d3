package io.millrace.testkit.internal.oracle;

import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricObserver;
import io.millrace.testkit.internal.fabric.WriteView;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.KeyInUse;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.DataChunkDecoder;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongHashSet;

/**
 * Bytes that leave a node outside of a packet's seal come from a cipher for records. These are the
 * bytes of one-sided writes, and the bytes behind the tag of a packet of chunks. The oracle knows
 * these bytes by a hash of each block of {@value #BLOCK_BYTES} bytes of a record. It does not look
 * at partial blocks at the ends of a write or a chunk. Whether the cipher had to encipher the bytes
 * is not known here. Lying nodes are exempt.
 */
final class CiphertextOracle implements Oracle, CipherObserver, FabricObserver {
  static final String NAME = "written bytes are sealed";
  private static final int BLOCK_BYTES = 256;
  private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;

  private final Simulation simulation;
  private final FullCluster cluster;
  private final GrantedKeys granted;
  private final LongHashSet sealed = new LongHashSet();
  private final DataChunkDecoder chunk = new DataChunkDecoder();
  private final SegmentBuffer view = new SegmentBuffer(0, 0);
  private long blocks;

  /**
   * Watches all ciphers, and the fabric, of a cluster before the first node boots.
   *
   * @param granted the addresses of the written regions
   */
  CiphertextOracle(FullCluster cluster, GrantedKeys granted) {
    this.cluster = cluster;
    this.granted = granted;
    simulation = cluster.simulation();
    cluster.observeCiphers(this);
    if (cluster.hasFabric()) {
      cluster.fabrics().forEach(fabric -> fabric.observe(this));
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Blocks looked at so far. */
  long blocks() {
    return blocks;
  }

  @Override
  public void onRecordOut(KeyInUse key, byte[] out, int offset, int length, int secretBytes) {
    view.wrap(out, offset, length);
    for (int at = 0; at + BLOCK_BYTES <= length; at += BLOCK_BYTES) {
      sealed.add(hash(view, at));
    }
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    DirectBuffer buffer = packet.buffer();
    int header = packet.offset();
    if (buffer.getByte(header) != PacketHeader.FORM_CHUNKS || isLiar(packet)) {
      return;
    }
    int chunks = PacketHeader.chunks(buffer, header);
    int frame = packet.bodyOffset();
    int bytes = frame + packet.bodyLength() + PacketHeader.TAG_LENGTH;
    for (int i = 0; i < chunks; i++) {
      chunk.wrap(
          buffer,
          frame + FrameStart.LENGTH,
          DataChunkDecoder.BLOCK_LENGTH,
          FrameStart.version(buffer, frame));
      if (!isSealed(buffer, bytes, chunk.at(), (int) chunk.length())) {
        fail(Lives.text(packet.key().life()) + " sends a chunk of region " + chunk.region());
      }
      frame += PacketHeader.CHUNK_LENGTH;
      bytes += (int) chunk.length();
    }
  }

  @Override
  public void onPosted(WriteView write, long nowNs) {
    long key = granted.name(write.remoteKey());
    if (granted.region(key) == null || cluster.isLiar(write.node())) {
      return;
    }
    long place = write.remoteAddress() - granted.address(key);
    view.wrap(write.source().asByteBuffer());
    if (!isSealed(view, 0, place, write.length())) {
      fail(
          "write " + write.ordinal() + " on link " + Long.toHexString(write.link()) + " is posted");
    }
  }

  private boolean isLiar(PlainPacket packet) {
    return cluster.isLiar(packet.key().life().node().number());
  }

  private void fail(String who) {
    simulation.fail(NAME, who + " with bytes that no cipher put out", null);
  }

  /** Records begin where a region does, and are whole numbers of blocks unless they end a fill. */
  private boolean isSealed(DirectBuffer bytes, int offset, long place, int length) {
    int at = (int) (-place & BLOCK_BYTES - 1);
    boolean isKnown = true;
    while (isKnown && at + BLOCK_BYTES <= length) {
      isKnown = sealed.contains(hash(bytes, offset + at));
      blocks++;
      at += BLOCK_BYTES;
    }
    return isKnown;
  }

  private static long hash(DirectBuffer bytes, int offset) {
    long hash = 0;
    for (int at = 0; at < BLOCK_BYTES; at += Long.BYTES) {
      hash = (hash ^ bytes.getLong(offset + at)) * FACTOR;
      hash ^= hash >>> Integer.SIZE;
    }
    return hash;
  }
}
