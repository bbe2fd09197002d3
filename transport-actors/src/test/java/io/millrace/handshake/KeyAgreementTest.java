package io.millrace.handshake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.PathSecret;
import io.millrace.crypto.kem.KeyEncapsulation;
import io.millrace.crypto.kem.PostQuantum;
import io.millrace.wire.codec.RejectReason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The key exchange beside the key exchange of TLS: rules H-10 and H-13. */
final class KeyAgreementTest {
  private static final byte[] ASKED = {1, 2, 3};
  private static final byte[] ANSWERED = {4, 5};
  private static final int SHARE_AT = 10;

  private static byte[] exported() {
    byte[] bytes = new byte[CertifiedExchange.EXPORTED_BYTES];
    Arrays.fill(bytes, (byte) 7);
    return bytes;
  }

  @Test
  void shouldAgreeOnBothSides() {
    for (boolean hybrid : new boolean[] {true, false}) {
      try (KeyAgreement initiator = KeyAgreement.ofInitiator(ASKED, hybrid);
          KeyAgreement responder = KeyAgreement.ofResponder(initiator.initiatorFrame(), hybrid)) {
        assertArrayEquals(ASKED, responder.remote());
        initiator.onAnswer(responder.responderFrame(ANSWERED));
        assertArrayEquals(ANSWERED, initiator.remote());
        assertArrayEquals(initiator.context(), responder.context());
        byte[] given = exported();
        PathSecret ours = initiator.secret(given);
        PathSecret theirs = responder.secret(exported());
        assertArrayEquals(new byte[given.length], given, "it is overwritten");
        assertArrayEquals(ours.copy(), theirs.copy());
        assertEquals(hybrid, ours.isPostQuantum());
        assertEquals(hybrid, theirs.isPostQuantum());
      }
    }
  }

  /** An attacker with the exported secret of TLS alone derives another secret. */
  @Test
  void shouldDependOnBothSecretsAndOnWhatWasSent() {
    byte[] context = KeyAgreement.context(ASKED, ANSWERED);
    byte[] kem = new byte[KeyEncapsulation.SECRET_BYTES];
    byte[] secret = KeyAgreement.hybrid(exported(), kem, context);
    byte[] otherKem = kem.clone();
    otherKem[31] ^= 1;
    byte[] otherExported = exported();
    otherExported[0] ^= 1;
    List<byte[]> others =
        List.of(
            KeyAgreement.plain(exported()),
            KeyAgreement.hybrid(otherExported, kem, context),
            KeyAgreement.hybrid(exported(), otherKem, context),
            KeyAgreement.hybrid(exported(), kem, KeyAgreement.context(ASKED, ASKED)),
            KeyAgreement.hybrid(exported(), kem, KeyAgreement.context(ANSWERED, ANSWERED)));
    for (byte[] other : others) {
      assertFalse(Arrays.equals(secret, other));
    }
  }

  /** ML-KEM does not fail on a changed ciphertext; the result is a secret that the peer lacks. */
  @Test
  void shouldHaveAnotherSecretThanAPeerWhoseCiphertextWasChanged() {
    try (KeyAgreement initiator = KeyAgreement.ofInitiator(ASKED, true);
        KeyAgreement responder = KeyAgreement.ofResponder(initiator.initiatorFrame(), true)) {
      byte[] answer = responder.responderFrame(ANSWERED);
      answer[SHARE_AT] ^= 1;
      initiator.onAnswer(answer);
      assertNotEquals(initiator.secret(exported()).pathId(), responder.secret(exported()).pathId());
    }
  }

  @Test
  void shouldTakeNothingThatIsNotWhole() {
    try (KeyAgreement initiator = KeyAgreement.ofInitiator(ASKED, true)) {
      byte[] frame = initiator.initiatorFrame();
      for (int length = 0; length < frame.length; length += length < 20 ? 1 : 13) {
        assertNull(
            KeyAgreement.ofResponder(Arrays.copyOf(frame, length), true).remote(), "" + length);
      }
      assertNull(KeyAgreement.ofResponder(ASKED, true).remote(), "an advert alone");
      assertNull(KeyAgreement.ofResponder(null, true).remote());
      byte[] noKey = frame.clone();
      Arrays.fill(noKey, SHARE_AT, SHARE_AT + KeyEncapsulation.PUBLIC_KEY_BYTES, (byte) -1);
      KeyAgreement refused = KeyAgreement.ofResponder(noKey, true);
      assertNull(refused.remote(), "no key of ML-KEM");
      assertThrows(IllegalStateException.class, () -> refused.secret(exported()));
      byte[] shortShare =
          HybridAdvertFrame.encode(new byte[KeyEncapsulation.PUBLIC_KEY_BYTES - 1], ASKED);
      assertNull(KeyAgreement.ofResponder(shortShare, true).remote());
    }
    byte[] shortCiphertext =
        HybridAdvertFrame.encode(new byte[KeyEncapsulation.CIPHERTEXT_BYTES + 1], ANSWERED);
    try (KeyAgreement initiator = KeyAgreement.ofInitiator(ASKED, true)) {
      assertNull(initiator.onAnswer(shortCiphertext).remote());
    }
    try (KeyAgreement initiator = KeyAgreement.ofInitiator(ASKED, true)) {
      assertNull(initiator.onAnswer(ANSWERED).remote(), "an advert alone is a downgrade");
    }
  }

  @Test
  void shouldTakeARefusal() {
    byte[] refusal =
        AdvertFrames.encode(new AdvertFrames.Reject(RejectReason.TOO_MANY_PEERS, "full"));
    try (KeyAgreement initiator = KeyAgreement.ofInitiator(ASKED, true)) {
      assertArrayEquals(refusal, initiator.onAnswer(refusal).remote());
      assertThrows(IllegalStateException.class, () -> initiator.secret(exported()));
    }
  }

  @Test
  void shouldForgetTheSecretOnceItIsUsed() {
    KeyAgreement initiator = KeyAgreement.ofInitiator(ASKED, true);
    KeyAgreement responder = KeyAgreement.ofResponder(initiator.initiatorFrame(), true);
    byte[] answer = responder.responderFrame(ANSWERED);
    assertNotNull(responder.secret(exported()));
    assertThrows(IllegalStateException.class, () -> responder.secret(exported()));
    initiator.close();
    initiator.close();
    assertThrows(IllegalStateException.class, () -> initiator.onAnswer(answer));
  }

  /** The longest advert fits with a share, and no frame of another kind is that long. */
  @Test
  void shouldCutFramesOfBothKinds() {
    byte[] advert = new byte[AdvertFrames.MAX_ADVERT_BYTES];
    byte[] longest = HybridAdvertFrame.encode(new byte[KeyEncapsulation.PUBLIC_KEY_BYTES], advert);
    assertEquals(AdvertFrames.MAX_FRAME_BYTES, longest.length);
    assertArrayEquals(longest, new AdvertFrames().take(ByteBuffer.wrap(longest)));
    assertArrayEquals(advert, Objects.requireNonNull(HybridAdvertFrame.decode(longest)).advert());
    byte[] reject =
        AdvertFrames.encode(new AdvertFrames.Reject(RejectReason.TOO_MANY_PEERS, "full"));
    ByteBuffer tooLong = ByteBuffer.wrap(reject.clone());
    tooLong.putShort(0, Short.reverseBytes((short) longest.length));
    AdvertFrames frames = new AdvertFrames();
    assertNull(frames.take(tooLong));
    assertTrue(frames.isMalformed());
  }

  @Test
  void shouldPreferTheHybridProtocol() {
    assertEquals(List.of("millrace/1"), KeyAgreement.protocols(PostQuantum.OFF));
    assertEquals(
        List.of("millrace/1+mlkem768", "millrace/1"), KeyAgreement.protocols(PostQuantum.ON));
    assertEquals(List.of("millrace/1+mlkem768"), KeyAgreement.protocols(PostQuantum.REQUIRED));
  }
}
