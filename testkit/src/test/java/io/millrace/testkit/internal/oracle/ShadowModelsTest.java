package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.CipherUse;
import io.millrace.crypto.PacketCipher;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.CallStatus;
import io.millrace.wire.codec.DataChunkEncoder;
import io.millrace.wire.codec.DrainEncoder;
import io.millrace.wire.codec.InlineRequestEncoder;
import io.millrace.wire.codec.InlineResponseEncoder;
import io.millrace.wire.codec.PathCloseEncoder;
import io.millrace.wire.codec.RegionGrantEncoder;
import io.millrace.wire.codec.RegionRevokeEncoder;
import io.millrace.wire.codec.WriteNotifyEncoder;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The models of tokens, key phases and paths, each broken on purpose, and kept by a transport. */
final class ShadowModelsTest {
  private static final int BODY = PacketHeader.LENGTH + FrameStart.LENGTH;
  private static final int PATH = 77;
  private static final int KEY = 9;
  private static final byte[] NO_BYTES = {};

  /** The packets to seal and to open. */
  @FunctionalInterface
  private interface Plan {
    void run(Packets packets) throws Exception;
  }

  /** Writes a frame and returns the frame's end. */
  @FunctionalInterface
  private interface Frame {
    int encode(SegmentBuffer packet);
  }

  /** Packets between node 0 and node 1, under a key for each phase. */
  private static final class Packets {
    private final OracleNodes nodes;
    private final PacketCipher[][] sealers = new PacketCipher[2][20];
    private final PacketCipher[][] openers = new PacketCipher[2][20];

    Packets(OracleNodes nodes) {
      this.nodes = nodes;
    }

    private PacketCipher cipher(int node, int phase, CipherUse use) {
      return nodes.cipher(node, 1 + phase, use);
    }

    /** Seals a packet with a phase in its header, followed by the length. */
    SegmentBuffer seal(int node, int phase, int header, long number, Frame frame) {
      SegmentBuffer packet = new SegmentBuffer(ByteBuffer.allocateDirect(400));
      PacketHeader.encodeFixed(packet, 0, node, 1 - node, PATH);
      PacketHeader.encodeNumber(packet, 0, header, number);
      int end = frame.encode(packet);
      sealer(node, phase).seal(packet, 0, PacketHeader.LENGTH, end - PacketHeader.LENGTH, number);
      packet.putInt(300, end);
      return packet;
    }

    private PacketCipher sealer(int node, int phase) {
      if (sealers[node][phase] == null) {
        sealers[node][phase] = cipher(node, 2 * phase + node, CipherUse.SEAL);
      }
      return sealers[node][phase];
    }

    void open(int node, int phase, SegmentBuffer packet) {
      if (openers[node][phase] == null) {
        openers[node][phase] = cipher(node, 2 * phase + 1 - node, CipherUse.OPEN);
      }
      SegmentBuffer copy = new SegmentBuffer(ByteBuffer.allocateDirect(400));
      copy.putBytes(0, packet, 0, 400);
      int length = packet.getInt(300) - PacketHeader.LENGTH;
      long number = PacketHeader.packetNumber(packet, 0);
      assertTrue(openers[node][phase].open(copy, 0, PacketHeader.LENGTH, length, number));
    }

    /** Nothing was wrong up to here. */
    void check() {
      nodes.simulation.check();
    }
  }

  private static void assertFound(Function<FullCluster, Oracle> rule, String words, Plan plan)
      throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, NetworkSettings.clean(1_000));
            Oracle oracle = rule.apply(nodes.cluster);
            nodes.cluster.nodes().forEach(FullNode::boot);
            plan.run(new Packets(nodes));
            SimViolation violation = assertThrows(SimViolation.class, simulation::check);
            assertEquals(oracle.name(), violation.rule());
            String message = String.valueOf(violation.getMessage());
            assertTrue(message.endsWith(words), message);
            return null;
          }
        });
  }

  private static int framed(SegmentBuffer packet, int end, int block, int template) {
    FrameStart.encode(packet, PacketHeader.LENGTH, end - PacketHeader.LENGTH, block, template);
    return end;
  }

  private static int nothing(SegmentBuffer packet) {
    return PacketHeader.LENGTH;
  }

  private static int grant(SegmentBuffer packet) {
    RegionGrantEncoder grant = new RegionGrantEncoder().wrap(packet, BODY);
    RegionGrantEncoder.TokensEncoder token = grant.requestId(1).tokensCount(1).next();
    token.region(3).fill(1).key(KEY).address(0).sizeBytes(9_000).authorisedBytes(500);
    return framed(
        packet, grant.limit(), RegionGrantEncoder.BLOCK_LENGTH, RegionGrantEncoder.TEMPLATE_ID);
  }

  private static int revoke(SegmentBuffer packet) {
    RegionRevokeEncoder revoke = new RegionRevokeEncoder().wrap(packet, BODY);
    revoke.regionsCount(1).next().region(3).key(KEY);
    return framed(
        packet, revoke.limit(), RegionRevokeEncoder.BLOCK_LENGTH, RegionRevokeEncoder.TEMPLATE_ID);
  }

  private static Frame chunk(int at, int length) {
    return packet -> {
      DataChunkEncoder chunk = new DataChunkEncoder().wrap(packet, BODY);
      chunk.region(3).fill(1).key(KEY).at(at).length(length);
      return framed(
          packet, chunk.limit(), DataChunkEncoder.BLOCK_LENGTH, DataChunkEncoder.TEMPLATE_ID);
    };
  }

  private static int close(SegmentBuffer packet) {
    PathCloseEncoder close = new PathCloseEncoder().wrap(packet, BODY);
    close.putText(NO_BYTES, 0, 0);
    return framed(
        packet, close.limit(), PathCloseEncoder.BLOCK_LENGTH, PathCloseEncoder.TEMPLATE_ID);
  }

  private static int settled(SegmentBuffer packet) {
    DrainEncoder drain = new DrainEncoder().wrap(packet, BODY).flags((short) 2);
    return framed(packet, drain.limit(), DrainEncoder.BLOCK_LENGTH, DrainEncoder.TEMPLATE_ID);
  }

  private static int request(SegmentBuffer packet) {
    InlineRequestEncoder request = new InlineRequestEncoder().wrap(packet, BODY);
    request.transferId(5).route(1).priority((short) 0).pattern((short) 0);
    request.putHeaders(NO_BYTES, 0, 0).putPayload(NO_BYTES, 0, 0);
    return framed(
        packet,
        request.limit(),
        InlineRequestEncoder.BLOCK_LENGTH,
        InlineRequestEncoder.TEMPLATE_ID);
  }

  private static Frame part(long transfer) {
    return packet -> {
      WriteNotifyEncoder part = new WriteNotifyEncoder().wrap(packet, BODY);
      part.transferId(transfer).bufferId(4).flags((short) 0).regionsCount(0);
      part.putDataKey(NO_BYTES, 0, 0).putTags(NO_BYTES, 0, 0);
      return framed(
          packet, part.limit(), WriteNotifyEncoder.BLOCK_LENGTH, WriteNotifyEncoder.TEMPLATE_ID);
    };
  }

  private static Frame answer(long transfer) {
    return packet -> {
      InlineResponseEncoder answer = new InlineResponseEncoder().wrap(packet, BODY);
      answer.transferId(transfer).status(CallStatus.OK).flags((short) 0);
      answer.putHeaders(NO_BYTES, 0, 0).putPayload(NO_BYTES, 0, 0);
      return framed(
          packet,
          answer.limit(),
          InlineResponseEncoder.BLOCK_LENGTH,
          InlineResponseEncoder.TEMPLATE_ID);
    };
  }

  private static ShadowRegion region() {
    ShadowRegion region = new ShadowRegion(true);
    region.key = KEY;
    region.fill = 1;
    region.authorisedBytes = 500;
    region.phase = ShadowRegion.Phase.GRANTED;
    return region;
  }

  private static Oracle tokens(FullCluster cluster, ShadowRegion region) {
    GrantedKeys granted = new GrantedKeys();
    granted.add(KEY, KEY, region);
    return new TokenOracle(cluster, granted);
  }

  private static Oracle lives(FullCluster cluster) {
    return new PathLifeOracle(cluster, new GrantedKeys());
  }

  @Test
  void shouldFindAWriteBeyondWhatIsAuthorised() throws Exception {
    assertFound(
        cluster -> tokens(cluster, region()),
        "n0#1 writes 101 bytes under a key at 400, may write 500 bytes of fill 1",
        packets -> {
          packets.open(0, 0, packets.seal(1, 0, 0, 0, ShadowModelsTest::grant));
          packets.seal(0, 0, 0, 0, chunk(400, 100));
          packets.check();
          packets.seal(0, 0, 0, 1, chunk(400, 101));
        });
  }

  @Test
  void shouldFindAWriteUnderARevokedKey() throws Exception {
    ShadowRegion region = region();
    assertFound(
        cluster -> tokens(cluster, region),
        "n0#1 writes 10 bytes under a key that was told to be void",
        packets -> {
          packets.open(0, 0, packets.seal(1, 0, 0, 0, ShadowModelsTest::grant));
          region.phase = ShadowRegion.Phase.VOID;
          SegmentBuffer word = packets.seal(1, 0, 0, 1, ShadowModelsTest::revoke);
          packets.seal(0, 0, 0, 0, chunk(0, 10));
          packets.open(0, 0, word);
          packets.check();
          packets.seal(0, 0, 0, 1, chunk(0, 10));
        });
  }

  @Test
  void shouldFindAGrantOfMoreThanTheRegionHas() throws Exception {
    ShadowRegion region = region();
    region.authorisedBytes = 499;
    assertFound(
        cluster -> tokens(cluster, region),
        "n1#1 grants 500 bytes of fill 1 of a region that is " + region,
        packets -> packets.seal(1, 0, 0, 0, ShadowModelsTest::grant));
  }

  @Test
  void shouldFindAPhaseThatIsLeftOut() throws Exception {
    assertFound(
        KeyPhaseOracle::new,
        "seals packet 1 of path 4d in phase 2 when phase 1 is next",
        packets -> {
          packets.seal(0, 0, 0, 0, ShadowModelsTest::nothing);
          packets.check();
          packets.seal(0, 2, 2, 1, ShadowModelsTest::nothing);
        });
  }

  @Test
  void shouldFindAPhaseThatComesBack() throws Exception {
    assertFound(
        KeyPhaseOracle::new,
        "seals packet 2 of path 4d in phase 0 with a key of phase 0",
        packets -> {
          packets.seal(0, 0, 0, 0, ShadowModelsTest::nothing);
          packets.seal(0, 1, 1, 1, ShadowModelsTest::nothing);
          packets.check();
          packets.seal(0, 0, 0, 2, ShadowModelsTest::nothing);
        });
  }

  @Test
  void shouldFindAPhaseThatIsTooOldToBeOpened() throws Exception {
    assertFound(
        KeyPhaseOracle::new,
        "opens packet 0 of path 4d in phase 0 after phase 8",
        packets -> {
          SegmentBuffer[] sealed = new SegmentBuffer[9];
          for (int phase = 0; phase < 9; phase++) {
            sealed[phase] = packets.seal(0, phase, phase, phase, ShadowModelsTest::nothing);
          }
          packets.open(1, 8, sealed[8]);
          packets.open(1, 1, sealed[1]);
          packets.check();
          packets.open(1, 0, sealed[0]);
        });
  }

  @Test
  void shouldFindAPacketAfterTheFarewell() throws Exception {
    assertFound(
        ShadowModelsTest::lives,
        "packet 1 of n0#1 is sent after the path was closed",
        packets -> {
          packets.seal(0, 0, 0, 0, ShadowModelsTest::close);
          packets.check();
          packets.seal(0, 0, 0, 1, ShadowModelsTest::nothing);
        });
  }

  @Test
  void shouldFindAPathThatGoesOnAfterItsPeersFarewell() throws Exception {
    assertFound(
        ShadowModelsTest::lives,
        "packet 0 of n1#1 is sent after the path was closed",
        packets -> {
          packets.open(1, 0, packets.seal(0, 0, 0, 0, ShadowModelsTest::close));
          packets.check();
          packets.seal(1, 0, 0, 0, ShadowModelsTest::nothing);
        });
  }

  @Test
  void shouldFindARequestAfterTheLastOne() throws Exception {
    assertFound(
        ShadowModelsTest::lives,
        "packet 1 of n0#1 has a request after none was left",
        packets -> {
          packets.seal(0, 0, 0, 0, ShadowModelsTest::settled);
          packets.check();
          packets.seal(0, 0, 0, 1, ShadowModelsTest::request);
        });
  }

  /** A part of a body that was answered before only ends an account of memory. */
  @Test
  void shouldFindAPartOfABodyThatWasNotAnsweredAfterTheLastRequest() throws Exception {
    assertFound(
        ShadowModelsTest::lives,
        "packet 2 of n0#1 has a request after none was left",
        packets -> {
          packets.open(0, 0, packets.seal(1, 0, 0, 0, answer(5)));
          packets.seal(0, 0, 0, 0, ShadowModelsTest::settled);
          packets.seal(0, 0, 0, 1, part(5));
          packets.check();
          packets.seal(0, 0, 0, 2, part(6));
        });
  }

  @Test
  void shouldCountEachArrivedByteOnce() {
    ArrivedBytes arrived = new ArrivedBytes();
    arrived.add(100, 50);
    arrived.add(0, 10);
    arrived.add(90, 100);
    arrived.add(120, 5);
    assertEquals(110, arrived.count());
    assertEquals(15, arrived.before(95));
    arrived.clear();
    assertEquals(0, arrived.before(1_000));
  }

  @Test
  void shouldLookAtATransport() throws Exception {
    long writes =
        OracleNodes.exchangeWithLoss(
            cluster -> {
              RegionOracle regions = new RegionOracle(cluster, new Coverage());
              return new TokenOracle(cluster, regions.granted());
            },
            tokens -> Math.min(tokens.writes(), tokens.statements()));
    assertTrue(writes > 20, writes + " writes or statements");
    long closes =
        OracleNodes.exchangeWithLoss(
            cluster -> new PathLifeOracle(cluster, new GrantedKeys()), PathLifeOracle::closes);
    assertTrue(closes >= 2, closes + " closes");
  }
}
