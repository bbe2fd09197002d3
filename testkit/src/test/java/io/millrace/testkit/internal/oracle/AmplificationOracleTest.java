package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.SendBuffer;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.SimDriver;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.PskReplyDecoder;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The rule about answers to strangers: the rule is asked, and broken on purpose. */
final class AmplificationOracleTest {
  private static final int BYTES = 100;

  @Test
  void shouldLookAtTheAnswersOfHandshakes() throws Exception {
    assertTrue(
        OracleNodes.exchangeWithLoss(AmplificationOracle::new, AmplificationOracle::answers) > 1);
  }

  /** Returns the rule's verdict when a node sends this form to an unknown node. */
  private static String violation(byte form) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, NetworkSettings.clean(1_000));
            Oracle oracle = new AmplificationOracle(nodes.cluster);
            nodes.cluster.nodes().forEach(FullNode::boot);
            EndpointSettings settings = EndpointSettings.defaults(new SimAddress(0, 0, 0).inet());
            Endpoint endpoint =
                new SimDriver(nodes.cluster.network(), 0, () -> () -> {}).open(settings);
            SendBuffer buffer = Objects.requireNonNull(endpoint.acquireSendBuffer());
            FrameStart.encode(buffer.buffer(), 2, BYTES - 2, 0, PskReplyDecoder.TEMPLATE_ID);
            buffer.buffer().putByte(0, form);
            int destination = endpoint.resolve(new SimAddress(1, 0, 9).endpoint());
            endpoint.postSend(destination, buffer, BYTES, BYTES, 0);
            endpoint.flush();
            SimViolation violation = assertThrows(SimViolation.class, simulation::check);
            assertEquals(oracle.name(), violation.rule());
            return String.valueOf(violation.getMessage());
          }
        });
  }

  @Test
  void shouldFindAnAnswerThatNothingAskedFor() throws Exception {
    String text = violation(PacketHeader.FORM_HANDSHAKE);
    assertTrue(text.contains("n0 answers 10.0.0.1:9 with 100 bytes, whence 0 came"), text);
  }

  @Test
  void shouldFindDataForANodeThatHasProvedNothing() throws Exception {
    String text = violation(PacketHeader.FORM_DATA);
    assertTrue(text.contains("n0 sends 10.0.0.1:9 other things than handshakes"), text);
  }
}
