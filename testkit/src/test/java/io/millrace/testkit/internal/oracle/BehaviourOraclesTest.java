package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.actor.PeerCommand;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.loop.DutyCycle;
import io.millrace.loop.EventLoop;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.ProbeDecoder;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** The rules about the behaviour of nodes, broken on purpose. */
final class BehaviourOraclesTest {
  private static final TransportSettings SETTINGS = SimTransportSettings.parse("");
  private static final long DELAY_NS = 50_000;

  private interface Plan {
    void run(OracleNodes nodes) throws Exception;
  }

  private static String violation(int lossPpm, Function<OracleNodes, Oracle> rule, Plan plan)
      throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            LinkSettings link = LinkSettings.clean(DELAY_NS).withLoss(LossSettings.random(lossPpm));
            NetworkSettings network = NetworkSettings.clean(DELAY_NS).withLink(link);
            OracleNodes nodes = new OracleNodes(simulation, network);
            Oracle oracle = rule.apply(nodes);
            nodes.start(oracle, SETTINGS);
            SimViolation violation =
                assertThrows(
                    SimViolation.class,
                    () -> {
                      plan.run(nodes);
                      simulation.check();
                    });
            assertEquals(oracle.name(), violation.rule());
            return String.valueOf(violation.getMessage());
          }
        });
  }

  @Test
  void shouldFindALossOnACleanNetwork() throws Exception {
    String text =
        violation(
            20_000,
            nodes -> new CleanNetworkOracle(nodes.cluster),
            nodes -> nodes.exchange(40).awaitCalls());
    assertTrue(text.contains(" datagrams lost"), text);
  }

  @Test
  void shouldFindAMessageToAnActorThatIsGone() throws Exception {
    String text =
        violation(
            0,
            nodes -> new DeadLetterOracle(nodes.cluster),
            nodes -> {
              Behavior<PeerCommand> stopped = Behaviors.stopped();
              ActorRef<PeerCommand> gone =
                  nodes
                      .cluster
                      .node(0)
                      .system()
                      .systemActorOf(stopped, "millrace-gone", Props.empty());
              nodes.runFor(OracleNodes.SECOND_NS);
              nodes
                  .cluster
                  .node(0)
                  .call(
                      () -> {
                        gone.tell(new PeerCommand.Close());
                        return null;
                      });
              nodes.runFor(OracleNodes.SECOND_NS);
            });
    assertTrue(text.contains("Close to /system/millrace-gone"), text);
  }

  private static void seal(PacketCipher cipher, int template, long number) {
    SegmentBuffer packet = new SegmentBuffer(ByteBuffer.allocateDirect(200));
    PacketHeader.encodeFixed(packet, 0, 0, 0, 77);
    FrameStart.encode(packet, PacketHeader.LENGTH, FrameStart.LENGTH, 0, template);
    cipher.seal(packet, 0, PacketHeader.LENGTH, FrameStart.LENGTH, number);
  }

  @Test
  void shouldFindAnAcknowledgementThatNobodyAskedFor() throws Exception {
    String text =
        violation(
            0,
            nodes -> new AckOracle(nodes.cluster),
            nodes -> {
              PacketCipher cipher =
                  nodes
                      .cluster
                      .node(0)
                      .environment()
                      .ciphers()
                      .select(0)
                      .cipher(new AeadKey(new byte[28]), CipherUse.SEAL, KeyLimits.DEFAULT);
              seal(cipher, ProbeDecoder.TEMPLATE_ID, 0);
              nodes.simulation.check();
              seal(cipher, AckDecoder.TEMPLATE_ID, 1);
            });
    assertTrue(text.contains("sends 1 acknowledgements after 0 packets"), text);
  }

  /** Claims to have work, and does nothing. */
  private static final class Spinning implements DutyCycle {
    @Override
    public int doWork(long nowNs) {
      return 0;
    }

    @Override
    public boolean hasWork() {
      return true;
    }

    @Override
    public long nextDeadlineNs() {
      return NO_DEADLINE_NS;
    }

    @Override
    public void onClose() {
      // This duty cycle holds nothing.
    }
  }

  @Test
  void shouldFindAWorkerThatSpins() throws Exception {
    String text =
        violation(
            0,
            nodes -> new LoopOracle(nodes.cluster),
            nodes -> {
              Behavior<Void> spinning =
                  Behaviors.setup(
                      context -> {
                        EventLoop.current().register(new Spinning());
                        return Behaviors.empty();
                      });
              nodes
                  .cluster
                  .node(0)
                  .system()
                  .systemActorOf(
                      spinning, "spinning", DispatcherSelector.fromConfig("millrace-1-worker-0"));
              nodes.runFor(OracleNodes.SECOND_NS);
            });
    assertTrue(text.contains("n0#1: worker 0"), text);
  }
}
