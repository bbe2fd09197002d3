package io.millrace.testkit.internal.oracle;

import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.NetworkObserver;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.DrainDecoder;
import io.millrace.wire.codec.InlineRequestDecoder;
import io.millrace.wire.codec.InlineResponseDecoder;
import io.millrace.wire.codec.PathCloseDecoder;
import io.millrace.wire.codec.RegionGrantDecoder;
import io.millrace.wire.codec.WriteNotifyDecoder;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;
import org.jspecify.annotations.Nullable;

/**
 * A path's life at each of its ends; rules L-1, T-11 and the contract of PathClose. A path is open
 * from its first packet on. While a peer is suspected, which takes a silence, this peer gets no
 * grant. An end that has announced the end of all its transfers begins no transfer, and does not go
 * on with an unanswered transfer. After the close by either end, nothing more is opened, nothing is
 * sent but the farewell, twice, and the path never opens again. Lying nodes are exempt.
 */
final class PathLifeOracle implements Oracle, CipherObserver, NetworkObserver {
  static final String NAME = "a path's life";
  private static final int FAREWELLS = 2;
  private static final int SETTLED = 2;

  private static final long NO_PACKET = -1;

  private final Simulation simulation;
  private final FullCluster cluster;
  // Looked up only, never walked.
  private final Map<LifePath, ShadowPath> paths = new HashMap<>();
  private final Long2ObjectHashMap<ShadowPath> holders = new Long2ObjectHashMap<>();

  /** Closed ends of paths, by path; looked up only. */
  private final Long2ObjectHashMap<Map<Integer, ShadowPath>> closed = new Long2ObjectHashMap<>();

  private final RegionGrantDecoder grant = new RegionGrantDecoder();
  private final WriteNotifyDecoder notice = new WriteNotifyDecoder();
  private final DrainDecoder drain = new DrainDecoder();
  private final InlineResponseDecoder answer = new InlineResponseDecoder();
  private final FrameVisitor sealed = this::onSealed;
  private final FrameVisitor opened = this::onOpened;
  private ShadowPath path = new ShadowPath();
  private long closes;
  private long suspicions;

  /** The state of a path at one end. */
  private static final class ShadowPath {
    private @Nullable NodeLife life;
    private boolean isSuspected;
    private boolean isSettled;
    private boolean isClosed;
    private long heardNs = Long.MIN_VALUE;
    private long closedNs;
    private long farewell = NO_PACKET;
    private int farewells;

    /** Answered requests of this end; the end of a body may be announced after the answer. */
    private final LongHashSet answered = new LongHashSet();
  }

  /** Watches ciphers and sent packets before the first node boots. */
  PathLifeOracle(FullCluster cluster, GrantedKeys granted) {
    simulation = cluster.simulation();
    this.cluster = cluster;
    cluster.observeCiphers(this);
    cluster.network().observe(this);
    if (cluster.hasFabric()) {
      cluster.fabrics().forEach(fabric -> fabric.observe(this));
    }
    granted.tellOfSuspected(this::onSuspected);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Returns the number of closed ends of paths. */
  long closes() {
    return closes;
  }

  /** Returns how often a peer with a region was suspected. */
  long suspicions() {
    return suspicions;
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    path = path(packet);
    if (path.isClosed) {
      fail(packet, "is sent after the path was closed");
    }
    FrameVisitor.visit(packet, sealed);
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    path = path(packet);
    if (path.isClosed) {
      fail(packet, "is taken after the path was closed");
    }
    path.heardNs = packet.key().life().clock().nowNs();
    path.isSuspected = false;
    FrameVisitor.visit(packet, opened);
  }

  private ShadowPath path(PlainPacket packet) {
    ShadowPath known = paths.computeIfAbsent(LifePath.of(packet), place -> new ShadowPath());
    known.life = packet.key().life();
    return known;
  }

  private void onSealed(PlainPacket packet, int template, int frame) {
    switch (template) {
      case RegionGrantDecoder.TEMPLATE_ID -> onGrant(packet, frame);
      case DrainDecoder.TEMPLATE_ID -> path.isSettled |= isSettled(packet, frame);
      case InlineRequestDecoder.TEMPLATE_ID -> failIfSettled(packet);
      case WriteNotifyDecoder.TEMPLATE_ID -> {
        if (isOfRequest(packet, frame) && !path.answered.contains(notice.transferId())) {
          failIfSettled(packet);
        }
      }
      case PathCloseDecoder.TEMPLATE_ID -> {
        path.farewell = packet.number();
        close(packet);
      }
      default -> {
        // This frame does not concern the life of the path.
      }
    }
  }

  private void onOpened(PlainPacket packet, int template, int frame) {
    if (template == PathCloseDecoder.TEMPLATE_ID && !path.isClosed) {
      close(packet);
    } else if (template == InlineResponseDecoder.TEMPLATE_ID) {
      DirectBuffer buffer = packet.buffer();
      int block = FrameStart.blockLength(buffer, frame);
      answer.wrap(buffer, frame + FrameStart.LENGTH, block, FrameStart.version(buffer, frame));
      path.answered.add(answer.transferId());
    }
  }

  private void close(PlainPacket packet) {
    closes++;
    path.isClosed = true;
    path.closedNs = simulation.nowNs();
    closed
        .computeIfAbsent(packet.pathId(), id -> new HashMap<>())
        .put(packet.key().life().node().number(), path);
  }

  private void failIfSettled(PlainPacket packet) {
    if (path.isSettled) {
      fail(packet, "has a request after none was left");
    }
  }

  /** Tokens of an ended request may be given back for a while. */
  private boolean isOfRequest(PlainPacket packet, int frame) {
    DirectBuffer buffer = packet.buffer();
    int block = FrameStart.blockLength(buffer, frame);
    notice.wrap(buffer, frame + FrameStart.LENGTH, block, FrameStart.version(buffer, frame));
    boolean isEmpty = notice.bufferId() == 0 && (notice.flags() & WriteFlags.END) == 0;
    return (notice.flags() & WriteFlags.RESPONSE) == 0 && !isEmpty;
  }

  private boolean isSettled(PlainPacket packet, int frame) {
    DirectBuffer buffer = packet.buffer();
    int block = FrameStart.blockLength(buffer, frame);
    drain.wrap(buffer, frame + FrameStart.LENGTH, block, FrameStart.version(buffer, frame));
    return (drain.flags() & SETTLED) != 0;
  }

  private void onGrant(PlainPacket packet, int frame) {
    DirectBuffer buffer = packet.buffer();
    int block = FrameStart.blockLength(buffer, frame);
    grant.wrap(buffer, frame + FrameStart.LENGTH, block, FrameStart.version(buffer, frame));
    for (RegionGrantDecoder.TokensDecoder token : grant.tokens()) {
      holders.put(token.key(), path);
      if (path.isSuspected) {
        fail(packet, "grants a region to a peer that is suspected");
      }
    }
  }

  private void onSuspected(long key) {
    ShadowPath suspected = holders.get(key);
    if (suspected == null || suspected.isSuspected || suspected.life == null) {
      return;
    }
    suspicions++;
    suspected.isSuspected = true;
    long silenceNs = suspected.life.clock().nowNs() - suspected.heardNs;
    if (suspected.heardNs != Long.MIN_VALUE && silenceNs < leastSilenceNs(suspected.life)) {
      fail(
          suspected.life.node().number(),
          Lives.text(suspected.life) + " suspects a peer that was silent for " + silenceNs + " ns");
    }
  }

  /** The shortest silence after which a transport of this life asks a peer for a sign. */
  private static long leastSilenceNs(NodeLife life) {
    return life.pools().stream()
        .map(TransportPool::settings)
        .mapToLong(settings -> settings.recovery().silence().silenceNs())
        .min()
        .orElse(0);
  }

  @Override
  public void onSent(PacketView packet, long nowNs) {
    DirectBuffer bytes = packet.bytes();
    if (closed.isEmpty() || packet.length() < PacketHeader.LENGTH || isUnsealed(packet)) {
      return;
    }
    Map<Integer, ShadowPath> ends = closed.get(pathId(packet.source().node(), bytes));
    ShadowPath end = ends == null ? null : ends.get(packet.source().node());
    if (end == null) {
      return;
    }
    long number = PacketHeader.packetNumber(bytes, 0);
    boolean isFarewell =
        bytes.getByte(0) == PacketHeader.FORM_DATA
            && number == end.farewell
            && ++end.farewells <= FAREWELLS;
    // A packet built in the same turn may come to the network after the close.
    if (!isFarewell && nowNs > end.closedNs) {
      fail(
          packet.source().node(),
          packet.source() + " sends packet " + number + " over a path that it has closed");
    }
  }

  private long pathId(int node, DirectBuffer bytes) {
    long wireId = PacketHeader.pathId(bytes, 0);
    FullNode sender = cluster.node(node);
    return sender.isUp() ? sender.life().pathIdOf(wireId) : wireId;
  }

  private static boolean isUnsealed(PacketView packet) {
    return packet.bytes().getByte(0) == PacketHeader.FORM_HANDSHAKE
        || PacketHeader.isUnknown(packet.bytes(), 0, packet.length());
  }

  private void fail(PlainPacket packet, String what) {
    NodeLife life = packet.key().life();
    fail(
        life.node().number(), "packet " + packet.number() + " of " + Lives.text(life) + " " + what);
  }

  private void fail(int node, String what) {
    if (!cluster.isLiar(node)) {
      simulation.fail(NAME, what, null);
    }
  }
}
