package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.RecordCipher;
import io.millrace.crypto.Records;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.WriteView;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.DataChunkEncoder;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule about bytes that no packet's seal covers, kept by the transport and broken. */
final class CiphertextOracleTest {
  private static final long KEY = 77;
  private static final long BASE = 1L << 40;
  private static final int RECORD_BYTES = 1_000;
  private static final NetworkSettings CLEAN = NetworkSettings.clean(50_000);

  private interface Plan {
    void run(OracleNodes nodes, CiphertextOracle rule, byte[] ciphertext);
  }

  /**
   * Returns the rule's verdict on a plan's use of a ciphertext record; null if the use is right.
   */
  private static @Nullable String said(Plan plan) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, CLEAN, FabricSettings.DEFAULT);
            ShadowRegion region = new ShadowRegion(true);
            region.address = BASE;
            GrantedKeys granted = new GrantedKeys();
            granted.add(KEY, KEY, region);
            // another peer holds the region by now and writes by datagrams; not every writer knows
            // of this change
            region.address = -1;
            CiphertextOracle rule = new CiphertextOracle(nodes.cluster, granted);
            nodes.cluster.nodes().forEach(FullNode::boot);
            byte[] ciphertext = new byte[RECORD_BYTES + Records.TAG_BYTES];
            RecordCipher cipher = aead(nodes).recordCipher(new byte[16], CipherUse.SEAL);
            cipher.seal(0, new byte[RECORD_BYTES], 0, RECORD_BYTES, ciphertext, 0);
            plan.run(nodes, rule, ciphertext);
            SimViolation violation = simulation.violation();
            if (violation == null) {
              return null;
            }
            assertEquals(CiphertextOracle.NAME, violation.rule());
            return violation.getMessage();
          }
        });
  }

  private static AeadProvider aead(OracleNodes nodes) {
    return nodes.cluster.node(0).environment().ciphers().select(0);
  }

  /** A write of {@code bytes} to {@code place} of the region. */
  private record Write(long place, byte[] bytes) implements WriteView {
    @Override
    public long link() {
      return 1;
    }

    @Override
    public int node() {
      return 0;
    }

    @Override
    public long ordinal() {
      return 3;
    }

    @Override
    public long remoteKey() {
      return KEY;
    }

    @Override
    public long remoteAddress() {
      return BASE + place;
    }

    @Override
    public int length() {
      return bytes.length;
    }

    @Override
    public MemorySegment source() {
      return MemorySegment.ofArray(bytes);
    }
  }

  private static byte[] part(byte[] ciphertext, int from, int length) {
    byte[] part = new byte[length];
    System.arraycopy(ciphertext, from, part, 0, length);
    return part;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 256, 257, 488})
  void shouldLetSealedBytesBeWritten(int from) throws Exception {
    assertNull(
        said(
            (nodes, rule, ciphertext) -> {
              rule.onPosted(new Write(from, part(ciphertext, from, RECORD_BYTES - from)), 0);
              rule.onPosted(new Write(from + 65_536, part(ciphertext, from, 512)), 0);
              assertTrue(rule.blocks() >= 2, rule.blocks() + " blocks");
            }));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 256, 257, 488})
  void shouldFindAWriteOfOtherBytes(int from) throws Exception {
    String text =
        String.valueOf(
            said(
                (nodes, rule, ciphertext) -> {
                  ciphertext[600] ^= 1;
                  rule.onPosted(new Write(from, part(ciphertext, from, RECORD_BYTES - from)), 0);
                }));
    assertTrue(text.contains("write 3 on link 1 is posted with bytes that no cipher"), text);
  }

  /** Node 0 sends a packet of two chunks; the caller gives the second chunk. */
  private static void send(OracleNodes nodes, byte[] ciphertext, byte[] second) {
    SegmentBuffer packet = new SegmentBuffer(ByteBuffer.allocateDirect(2_000));
    PacketHeader.encodeFixed(packet, 0, 0, 0, KEY);
    PacketHeader.encodeChunks(packet, 0, 2);
    int frame = PacketHeader.LENGTH;
    int bytes = frame + 2 * PacketHeader.CHUNK_LENGTH + PacketHeader.TAG_LENGTH;
    for (int i = 0; i < 2; i++) {
      byte[] chunk = i == 0 ? part(ciphertext, 0, 300) : second;
      FrameStart.encode(
          packet,
          frame,
          PacketHeader.CHUNK_LENGTH,
          DataChunkEncoder.BLOCK_LENGTH,
          DataChunkEncoder.TEMPLATE_ID);
      new DataChunkEncoder()
          .wrap(packet, frame + FrameStart.LENGTH)
          .region(9)
          .fill(1)
          .key(KEY)
          .at(i * 300L)
          .length(chunk.length);
      packet.putBytes(bytes, chunk);
      frame += PacketHeader.CHUNK_LENGTH;
      bytes += chunk.length;
    }
    PacketCipher cipher =
        aead(nodes).cipher(new AeadKey(new byte[28]), CipherUse.SEAL, KeyLimits.DEFAULT);
    cipher.seal(packet, 0, PacketHeader.LENGTH, 2 * PacketHeader.CHUNK_LENGTH, 0);
  }

  @Test
  void shouldLetSealedChunksBeSent() throws Exception {
    assertNull(
        said((nodes, rule, ciphertext) -> send(nodes, ciphertext, part(ciphertext, 300, 700))));
  }

  @Test
  void shouldFindAChunkOfOtherBytes() throws Exception {
    String text =
        String.valueOf(said((nodes, rule, ciphertext) -> send(nodes, ciphertext, new byte[700])));
    assertTrue(text.contains("n0#1 sends a chunk of region 9 with bytes that no cipher"), text);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLookAtAllThatIsWritten(boolean isFabric) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(5)) {
            LinkSettings link = LinkSettings.clean(50_000).withLoss(LossSettings.random(20_000));
            OracleNodes nodes =
                new OracleNodes(
                    simulation,
                    isFabric ? CLEAN : CLEAN.withLink(link),
                    isFabric ? FabricSettings.DEFAULT : null);
            RegionOracle regions = new RegionOracle(nodes.cluster, new Coverage());
            CiphertextOracle rule = new CiphertextOracle(nodes.cluster, regions.granted());
            nodes.start(rule, SimTransportSettings.parse("")).exchange(40).awaitCalls();
            nodes.finish();
            // 8 calls of 300,000 bytes there and back; no chunk is shorter than four blocks
            assertTrue(rule.blocks() > 16 * 300_000 / 256 * 3 / 5, rule.blocks() + " blocks");
            return null;
          }
        });
  }
}
