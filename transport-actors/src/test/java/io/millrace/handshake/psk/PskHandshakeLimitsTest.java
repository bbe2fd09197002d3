package io.millrace.handshake.psk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.crypto.HandshakeFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limits that end open exchanges. */
class PskHandshakeLimitsTest {
  private static final int ALICE = 0;
  private static final int BOB = 1;
  private static final long[] LOST = {};

  private final PskNode alice = new PskNode("alice", 1);
  private final PskNetwork network = new PskNetwork(alice, new PskNode("bob", 2));

  @Test
  void shouldEndWhatIsUnderWayWhenClosed() {
    network.connect(ALICE, BOB);
    alice.handshake.onClose();
    alice.poll();
    assertEquals(HandshakeFailure.CLOSED, alice.failure().cause());
    assertEquals(Long.MAX_VALUE, alice.handshake.nextDeadlineNs());
  }

  @Test
  void shouldBeginOnlySoManyExchanges() {
    network.rule((index, sent) -> LOST);
    for (int i = 0; i < PskLimits.DEFAULT.initiations(); i++) {
      network.connect(ALICE, BOB);
    }
    assertEquals(List.of(), alice.ended);
    long exchange = alice.connect(BOB, network.nowNs);
    alice.poll();
    assertEquals(exchange, alice.ended.getFirst().exchangeId());
    assertEquals(HandshakeFailure.TOO_MANY_HANDSHAKES, alice.failure().cause());
  }

  /** The answer to the damaged Init is a refusal, without effect on the next Init. */
  @Test
  void shouldSurviveADamagedInitThoughTheTimeoutIsShort() {
    PskTimes times = PskTimes.ofTimeout(200 * PskNetwork.MS);
    PskNode hasty =
        new PskNode("hasty", new PskSettings(PskNode.KEY, 1, 1, times, PskLimits.DEFAULT), 1);
    PskNode bob = new PskNode("bob", 2);
    PskNetwork net = new PskNetwork(hasty, bob);
    net.rule((index, sent) -> index == 0 ? LOST : new long[] {PskNetwork.MS});
    net.connect(ALICE, BOB);
    byte[] damaged = net.transcript.getFirst().bytes().clone();
    damaged[damaged.length - 1] ^= 1;
    List<PskNode.Sent> refusals = bob.receive(damaged, ALICE, net.nowNs);
    assertEquals(1, refusals.size());
    hasty.receive(refusals.getFirst().bytes(), BOB, net.nowNs);
    net.run(200 * PskNetwork.MS);
    assertEquals(1, hasty.established().size());
    assertEquals(1, bob.established().size());
  }
}
