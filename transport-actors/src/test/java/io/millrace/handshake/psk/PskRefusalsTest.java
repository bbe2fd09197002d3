package io.millrace.handshake.psk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.crypto.HandshakeRefusal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The reasons that the called side gives to refused callers. */
class PskRefusalsTest {
  private static final int ALICE = 0;
  private static final int BOB = 1;
  private static final PreSharedKey OTHER =
      new PreSharedKey("another key of the laboratory, 32".getBytes());

  private final PskNode bob = new PskNode("bob", 2);

  private static PskNode alice(PreSharedKey key, long incarnation, int version) {
    return new PskNode(
        "alice",
        new PskSettings(
            key, incarnation, version, PskTimes.ofTimeout(1_000_000_000), PskLimits.DEFAULT),
        1);
  }

  private @Nullable String refusal(PskNode alice) {
    alice.connect(BOB, 0);
    bob.receive(alice.poll().getFirst().bytes(), ALICE, 0);
    String refusal = bob.handshake.pollRefusal();
    assertNull(bob.handshake.pollRefusal(), "once");
    return refusal;
  }

  @Test
  void shouldSayNothingOfAPeerThatIsWelcome() {
    PskNode alice = alice(PskNode.KEY, 1, 1);
    alice.connect(BOB, 0);
    List<PskNode.Sent> replies = bob.receive(alice.poll().getFirst().bytes(), ALICE, 0);
    List<PskNode.Sent> finishes = alice.receive(replies.getFirst().bytes(), BOB, 0);
    bob.receive(finishes.getFirst().bytes(), ALICE, 0);
    assertEquals(1, bob.established().size());
    assertNull(bob.handshake.pollRefusal());
  }

  @Test
  void shouldSayWhatIsWrong() {
    assertEquals(
        "it does not have this node's pre-shared key, or is not a Millrace node",
        refusal(alice(OTHER, 1, 1)));
    assertEquals(
        "it speaks version 9 of the protocol, this node version 1",
        refusal(alice(PskNode.KEY, 1, 9)));
    assertEquals("it is this node itself", refusal(alice(PskNode.KEY, 2, 1)));
  }

  @Test
  void shouldSayOfAPeerThatProvedItselfThatThereIsNoRoom() {
    bob.refusal = HandshakeRefusal.TOO_MANY_PEERS;
    PskNode alice = alice(PskNode.KEY, 1, 1);
    alice.connect(BOB, 0);
    List<PskNode.Sent> replies = bob.receive(alice.poll().getFirst().bytes(), ALICE, 0);
    byte[] finish = alice.receive(replies.getFirst().bytes(), BOB, 0).getFirst().bytes();
    for (int i = 0; i < 2; i++) {
      // The answer to the Finish may be lost.
      assertEquals(1, bob.receive(finish, ALICE, 0).size());
      assertEquals("this node has as many peers as it allows", bob.handshake.pollRefusal());
    }
  }

  @Test
  void shouldSayThatAProofIsWrong() {
    PskNode alice = alice(PskNode.KEY, 1, 1);
    alice.connect(BOB, 0);
    List<PskNode.Sent> replies = bob.receive(alice.poll().getFirst().bytes(), ALICE, 0);
    byte[] finish = alice.receive(replies.getFirst().bytes(), BOB, 0).getFirst().bytes().clone();
    finish[finish.length - 1] ^= 1;
    bob.receive(finish, ALICE, 0);
    assertEquals("its proof of the pre-shared key is wrong", bob.handshake.pollRefusal());
  }

  @Test
  void shouldSayThatAnotherVersionOfTheHandshakeCame() {
    byte[] init = new byte[PskDatagram.INIT_LENGTH];
    PskNode alice = alice(PskNode.KEY, 1, 1);
    alice.connect(BOB, 0);
    System.arraycopy(alice.poll().getFirst().bytes(), 0, init, 0, init.length);
    init[1] = 7;
    bob.receive(init, ALICE, 0);
    assertEquals(
        "it speaks version 7 of the handshake, this node version 1", bob.handshake.pollRefusal());
  }

  /** An operator who drains a node knows that the node takes no peers. */
  @Test
  void shouldSayNothingWhileItIsShuttingDown() {
    bob.refusal = HandshakeRefusal.SHUTTING_DOWN;
    assertNull(refusal(alice(PskNode.KEY, 1, 1)));
  }
}
