package io.millrace.handshake.psk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.crypto.IndependentHkdf;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/**
 * A holder of the key and the datagrams can compute the secrets of both sides, as the package
 * documents.
 */
class PskKeysTest {
  private static final long NOW_NS = 1;
  private static final long ALICE_INCARNATION = 0x1112131415161718L;
  private static final long BOB_INCARNATION = 0x2122232425262728L;

  @Test
  void shouldDeriveWhatIsDocumented() throws GeneralSecurityException {
    PskNode alice = new PskNode("alice", PskSettings.of(PskNode.KEY, ALICE_INCARNATION), 1);
    PskNode bob = new PskNode("bob", PskSettings.of(PskNode.KEY, BOB_INCARNATION), 2);
    alice.connect(1, NOW_NS);
    byte[] init = alice.poll().getFirst().bytes();
    byte[] reply = bob.receive(init, 0, NOW_NS).getFirst().bytes();
    byte[] finish = alice.receive(reply, 1, NOW_NS).getFirst().bytes();
    byte[] done = bob.receive(finish, 0, NOW_NS).getFirst().bytes();
    alice.receive(done, 1, NOW_NS);

    byte[] root = IndependentHkdf.extract("millrace1 psk".getBytes(), PskNode.KEY.bytes());
    byte[] nonces = Arrays.copyOfRange(reply, 20, 84);
    assertArrayEquals(Arrays.copyOfRange(init, 20, 52), Arrays.copyOf(nonces, 32));
    byte[] secret = IndependentHkdf.extract(nonces, root);
    byte[] context =
        ByteBuffer.allocate(18)
            .putShort((short) 1)
            .putLong(ALICE_INCARNATION)
            .putLong(BOB_INCARNATION)
            .array();
    assertArrayEquals(PskNode.advert("bob"), opened(secret, "psk reply", context, reply, 84));
    assertArrayEquals(PskNode.advert("alice"), opened(secret, "psk finish", context, finish, 74));

    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(reply);
    digest.update(finish);
    ByteArrayOutputStream bound = new ByteArrayOutputStream();
    bound.writeBytes(context);
    bound.writeBytes(digest.digest());
    byte[] doneKey = IndependentHkdf.expandLabel(secret, "psk done", bound.toByteArray(), 32);
    assertArrayEquals(
        IndependentHkdf.hmac(doneKey, Arrays.copyOf(done, 74)), Arrays.copyOfRange(done, 74, 106));
    byte[] path = IndependentHkdf.expandLabel(secret, "psk path", bound.toByteArray(), 32);
    byte[] expected = IndependentHkdf.expandLabel(path, "probe", new byte[0], 32);
    assertArrayEquals(
        expected, alice.established().getFirst().secret().derive("probe", new byte[0], 32));
    assertArrayEquals(
        expected, bob.established().getFirst().secret().derive("probe", new byte[0], 32));

    byte[] initKey = IndependentHkdf.expandLabel(root, "psk init", new byte[0], 32);
    byte[] unsigned = init.clone();
    Arrays.fill(unsigned, 52, 84, (byte) 0);
    assertArrayEquals(IndependentHkdf.hmac(initKey, unsigned), Arrays.copyOfRange(init, 52, 84));
  }

  private static byte[] opened(
      byte[] secret, String label, byte[] context, byte[] datagram, int clear)
      throws GeneralSecurityException {
    byte[] key = IndependentHkdf.expandLabel(secret, label, context, 28);
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.DECRYPT_MODE,
        new SecretKeySpec(key, 0, 16, "AES"),
        new GCMParameterSpec(128, key, 16, 12));
    cipher.updateAAD(datagram, 0, clear);
    return cipher.doFinal(datagram, clear + 2, datagram.length - clear - 2);
  }

  @Test
  void shouldKeepTheOrderOfTheExchange() {
    PskSchedule schedule =
        new PskKeys(PskNode.KEY).schedule(1, 2, 3, Nonce.NONE, new Nonce(1, 2, 3, 4));
    assertThrows(IllegalStateException.class, schedule::pathSecret);
    assertThrows(IllegalStateException.class, schedule::doneMac);
    schedule.bind(new byte[1], new byte[2]);
    assertThrows(IllegalStateException.class, schedule::replyKey);
    assertThrows(IllegalStateException.class, schedule::finishKey);
    assertThrows(IllegalStateException.class, () -> schedule.bind(new byte[1], new byte[2]));
    assertEquals(schedule.pathSecret().pathId(), schedule.pathSecret().pathId());
  }
}
