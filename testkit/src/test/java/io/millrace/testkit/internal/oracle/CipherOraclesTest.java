package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.RecordCipher;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.SimDriver;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.PacketHeader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule about keys, broken on purpose. */
final class CipherOraclesTest {
  private static final int HEADER_BYTES = PacketHeader.LENGTH;
  private static final int BODY_BYTES = 40;
  private static final int KEY_BYTES = 16;

  private interface Plan {
    void run(OracleNodes nodes) throws Exception;
  }

  private static String violation(Function<OracleNodes, Oracle> rule, Plan plan) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, NetworkSettings.clean(1_000));
            Oracle oracle = rule.apply(nodes);
            nodes.cluster.nodes().forEach(FullNode::boot);
            plan.run(nodes);
            SimViolation violation = assertThrows(SimViolation.class, simulation::check);
            assertEquals(oracle.name(), violation.rule());
            return String.valueOf(violation.getMessage());
          }
        });
  }

  private static AeadProvider aead(OracleNodes nodes, int node) {
    return nodes.cluster.node(node).environment().ciphers().select(0);
  }

  private static PacketCipher cipher(
      OracleNodes nodes, int node, int key, CipherUse use, KeyLimits limits) {
    byte[] material = new byte[KEY_BYTES + AeadKey.IV_LENGTH];
    material[0] = (byte) key;
    return aead(nodes, node).cipher(new AeadKey(material), use, limits);
  }

  private static PacketCipher sealer(OracleNodes nodes, int node, int key) {
    return cipher(nodes, node, key, CipherUse.SEAL, KeyLimits.DEFAULT);
  }

  private static PacketCipher opener(OracleNodes nodes, int node, int key) {
    return cipher(nodes, node, key, CipherUse.OPEN, KeyLimits.DEFAULT);
  }

  private static SegmentBuffer sealed(PacketCipher cipher, long number) {
    SegmentBuffer packet = new SegmentBuffer(ByteBuffer.allocateDirect(200));
    cipher.seal(packet, 0, HEADER_BYTES, BODY_BYTES, number);
    return packet;
  }

  private static boolean open(PacketCipher cipher, SegmentBuffer packet, long number) {
    SegmentBuffer copy = new SegmentBuffer(ByteBuffer.allocateDirect(packet.capacity()));
    copy.putBytes(0, packet, 0, packet.capacity());
    return cipher.open(copy, 0, HEADER_BYTES, BODY_BYTES, number);
  }

  @Test
  void shouldFindAPacketNumberUsedInTwoLives() throws Exception {
    String text =
        violation(
            nodes -> new NonceOracle(nodes.cluster),
            nodes -> {
              sealed(sealer(nodes, 0, 1), 5);
              nodes.cluster.node(0).crash();
              nodes.cluster.node(0).boot();
              sealed(sealer(nodes, 0, 2), 5);
              nodes.simulation.check();
              sealed(sealer(nodes, 0, 1), 5);
            });
    assertTrue(text.contains("n0#2 seals a packet"), text);
  }

  @Test
  void shouldFindARecordNonceUsedByTwoNodes() throws Exception {
    violation(
        nodes -> new NonceOracle(nodes.cluster),
        nodes -> {
          for (int node = 0; node < 2; node++) {
            nodes.simulation.check();
            RecordCipher cipher =
                aead(nodes, node).recordCipher(new byte[KEY_BYTES], CipherUse.SEAL);
            cipher.seal(7, new byte[10], 0, 10, new byte[100], 0);
            cipher.seal(8 + node, new byte[10], 0, 10, new byte[100], 0);
          }
        });
  }

  @Test
  void shouldFindAKeyThatSealsTooMuch() throws Exception {
    KeyLimits one = new KeyLimits(1, KeyLimits.MAX_BYTES);
    String text =
        violation(
            nodes -> new NonceOracle(nodes.cluster),
            nodes -> {
              sealed(cipher(nodes, 0, 1, CipherUse.SEAL, one), 1);
              sealed(cipher(nodes, 0, 1, CipherUse.SEAL, one), 2);
            });
    assertTrue(text.contains("seals 2 packets"), text);
  }

  @Test
  void shouldFindAKeyThatSealsTooManyBytes() throws Exception {
    int packetBytes = HEADER_BYTES + BODY_BYTES;
    KeyLimits three = new KeyLimits(KeyLimits.MAX_PACKETS, 3L * packetBytes);
    String text =
        violation(
            nodes -> new NonceOracle(nodes.cluster),
            nodes -> {
              PacketCipher first = cipher(nodes, 0, 1, CipherUse.SEAL, three);
              sealed(first, 1);
              sealed(first, 2);
              sealed(first, 3);
              nodes.simulation.check();
              sealed(cipher(nodes, 0, 1, CipherUse.SEAL, three), 4);
            });
    assertTrue(
        text.endsWith("seals " + 4 * packetBytes + " bytes, its limit is " + 3 * packetBytes),
        text);
  }

  @ParameterizedTest
  @CsvSource({"packets-per-key = 4, packets", "bytes-per-key = 4 KiB, bytes"})
  void shouldFindAKeyThatSealsMoreThanItsNodeAllows(String setting, String what) throws Exception {
    String text =
        violation(
            nodes -> new NonceOracle(nodes.cluster),
            nodes -> {
              nodes.cluster.nodes().forEach(FullNode::crash);
              nodes.start(
                  Oracles.of(List.of()), SimTransportSettings.parse("millrace.crypto." + setting));
              PacketCipher cipher = sealer(nodes, 0, 1);
              for (int number = 0; number < 4_096 / (HEADER_BYTES + BODY_BYTES) + 1; number++) {
                sealed(cipher, number);
              }
            });
    assertTrue(text.contains(" " + what + ", its limit is 4"), text);
  }

  @Test
  void shouldFindAKeyThatSealsTooManyRecords() throws Exception {
    String text =
        violation(
            nodes -> new NonceOracle(nodes.cluster),
            nodes -> {
              RecordCipher cipher =
                  aead(nodes, 0).recordCipher(new byte[KEY_BYTES], CipherUse.SEAL);
              byte[] out = new byte[100];
              for (int nonce = 0; nonce < 1 << 20; nonce++) {
                cipher.seal(nonce, new byte[1], 0, 1, out, 0);
              }
              nodes.simulation.check();
              cipher.seal(1 << 20, new byte[1], 0, 1, out, 0);
            });
    assertTrue(text.contains("seals 1048577 records"), text);
  }

  @Test
  void shouldFindAPacketAcceptedTwice() throws Exception {
    violation(
        nodes -> new ReplayOracle(nodes.cluster),
        nodes -> {
          SegmentBuffer packet = sealed(sealer(nodes, 0, 1), 3);
          PacketCipher first = opener(nodes, 1, 1);
          assertTrue(open(first, packet, 3));
          nodes.simulation.check();
          assertTrue(open(opener(nodes, 1, 1), packet, 3));
        });
  }

  @Test
  void shouldFindAPacketAcceptedThatIsOlderThanTheWindow() throws Exception {
    String text =
        violation(
            nodes -> new ReplayOracle(nodes.cluster),
            nodes -> {
              PacketCipher sealer = sealer(nodes, 0, 1);
              SegmentBuffer old = sealed(sealer, 3);
              SegmentBuffer late = sealed(sealer, 4);
              SegmentBuffer newest = sealed(sealer, 4 + 4_096 + 63);
              PacketCipher opener = opener(nodes, 1, 1);
              assertTrue(open(opener, newest, 4 + 4_096 + 63));
              assertTrue(open(opener, late, 4));
              nodes.simulation.check();
              assertTrue(open(opener, old, 3));
            });
    assertTrue(text.contains("n1#1 opens packet 3 after packet 4163"), text);
  }

  @Test
  void shouldFindAnEarlierIncarnationAccepted() throws Exception {
    String text =
        violation(
            nodes -> new FencingOracle(nodes.cluster, new Coverage()),
            nodes -> {
              PacketCipher old = sealer(nodes, 0, 1);
              SegmentBuffer early = sealed(old, 3);
              SegmentBuffer late = sealed(old, 4);
              PacketCipher opener = opener(nodes, 1, 1);
              assertTrue(open(opener, early, 3));
              nodes.cluster.node(0).crash();
              nodes.cluster.node(0).boot();
              assertTrue(open(opener(nodes, 1, 2), sealed(sealer(nodes, 0, 2), 0), 0));
              nodes.simulation.check();
              assertTrue(open(opener, late, 4));
            });
    assertTrue(text.contains("n1#1 accepts packet 4 of n0#1"));
  }

  @Test
  void shouldFindADatagramThatNobodySealed() throws Exception {
    violation(
        nodes -> new SealingOracle(nodes.cluster),
        nodes -> {
          send(nodes, PacketHeader.FORM_HANDSHAKE);
          nodes.simulation.check();
          send(nodes, PacketHeader.FORM_DATA);
        });
  }

  private static void send(OracleNodes nodes, byte form) throws DriverException {
    EndpointSettings settings = EndpointSettings.defaults(new SimAddress(0, 0, 0).inet());
    Endpoint endpoint = new SimDriver(nodes.cluster.network(), 0, () -> () -> {}).open(settings);
    SendBuffer buffer = Objects.requireNonNull(endpoint.acquireSendBuffer());
    buffer.buffer().putByte(0, form);
    int destination = endpoint.resolve(new SimAddress(1, 0, 9).endpoint());
    endpoint.postSend(destination, buffer, 100, 100, 0);
    endpoint.flush();
  }
}
