package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.handshake.psk.PreSharedKey;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** After the end of a secret its memory holds zeros; and no text shows the secret. */
class SecretsTest {
  private static final byte[] SECRET = bytes(32);

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static Object fieldOf(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  private static void assertZeros(Object array) {
    byte[] bytes = (byte[]) array;
    assertTrue(bytes.length > 0);
    assertArrayEquals(new byte[bytes.length], bytes);
  }

  @Test
  void shouldOverwriteWhatIsClosed() throws Exception {
    PathSecret secret = new PathSecret(SECRET);
    Object ofPath = fieldOf(secret, "secret");
    assertArrayEquals(SECRET, (byte[]) ofPath);
    AeadKey derived =
        new ControlKeys(secret, AesKeySize.AES_256)
            .derive(PathDirection.RESPONDER_TO_INITIATOR, new WorkerPair(1, 2), 3);
    DataKeyNames names = new DataKeyNames(secret);
    ErasableKey erasable = new ErasableKey(SECRET, "AES");
    Object ofKey = fieldOf(derived, "material");
    Object ofNames = fieldOf(names, "key");
    final Object ofErasable = fieldOf(erasable, "bytes");
    assertFalse(erasable.isDestroyed());
    secret.close();
    derived.close();
    names.close();
    erasable.destroy();
    assertZeros(ofPath);
    assertZeros(ofKey);
    assertZeros(ofNames);
    assertZeros(ofErasable);
    assertTrue(erasable.isDestroyed());
  }

  @Test
  void shouldOverwriteAKeyThatWasDerivedForAMac() {
    byte[] key = SECRET.clone();
    byte[] message = {1, 2, 3};
    byte[] right = new HmacSha256(SECRET).tag(message);
    HmacSha256 mac = HmacSha256.ofDerived(key);
    assertZeros(key);
    assertArrayEquals(right, mac.tag(message));
    mac.close();
    assertArrayEquals(
        new HmacSha256(new byte[32]).tag(message), mac.tag(message), "of a key of zeros");
  }

  @Test
  void shouldOverwriteTheKeysOfTheJdksCiphers() throws Exception {
    AeadProvider jdk = AeadProviders.discover().named("jdk");
    try (AeadKey key = new AeadKey(bytes(28))) {
      PacketCipher packets = jdk.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT);
      RecordCipher records = jdk.recordCipher(bytes(16), CipherUse.SEAL);
      byte[] out = new byte[16 + Records.TAG_BYTES];
      records.seal(1, new byte[16], 0, 16, out, 0);
      ErasableKey ofPackets = (ErasableKey) fieldOf(packets, "schedule");
      ErasableKey ofRecords = (ErasableKey) fieldOf(records, "schedule");
      assertFalse(ofPackets.isDestroyed() || ofRecords.isDestroyed());
      packets.close();
      records.close();
      assertTrue(ofPackets.isDestroyed() && ofRecords.isDestroyed());
    }
  }

  @Test
  void shouldOverwriteADataKeyWhenTheLastHoldOnItEnds() {
    DataKey key = new DataKey(bytes(16), KeyLimits.DEFAULT);
    RecordRange range = Objects.requireNonNull(key.reserve(1));
    Runnable memory = range.hold();
    key.close();
    range.close();
    assertFalse(key.isErased());
    assertArrayEquals(bytes(16), key.bytes());
    memory.run();
    assertTrue(key.isErased());
    assertZeros(key.bytes());
    memory.run();
    assertTrue(key.isErased(), "once");
  }

  @Test
  void shouldNeverSayWhatASecretIs() {
    PathSecret secret = new PathSecret(SECRET);
    ErasableKey erasable = new ErasableKey(SECRET, "AES");
    AeadKey key = new AeadKey(bytes(28));
    for (Object each :
        List.of(secret, erasable, key, new DataKeyNames(secret), new PreSharedKey(SECRET))) {
      String said = each.toString();
      assertTrue(said.contains("redacted"), said);
      for (byte[] hidden : List.of(SECRET, bytes(28))) {
        assertFalse(said.contains(HexFormat.of().formatHex(hidden)), said);
        assertFalse(said.contains(Arrays.toString(hidden)), said);
      }
    }
    Assertions.assertThrows(
        NotSerializableException.class,
        () -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(erasable));
  }

  @Test
  void shouldNameADataKeyTheSameOnBothSidesOfAPathAndNowhereElse() {
    byte[] other = SECRET.clone();
    other[0] ^= 1;
    DataKeyNames.Name name = new DataKeyNames(new PathSecret(SECRET)).of(bytes(16));
    assertEquals(name, new DataKeyNames(new PathSecret(SECRET)).of(bytes(16)));
    assertNotEquals(name, new DataKeyNames(new PathSecret(other)).of(bytes(16)));
    assertNotEquals(name, new DataKeyNames(new PathSecret(SECRET)).of(bytes(32)));
    byte[] independent =
        IndependentHkdf.hmac(
            IndependentHkdf.expandLabel(SECRET, "data key name", new byte[0], 32), bytes(16));
    assertEquals(name.first(), littleEndian(independent, 0));
    assertEquals(name.second(), littleEndian(independent, 8));
  }

  private static long littleEndian(byte[] bytes, int at) {
    long value = 0;
    for (int i = 7; i >= 0; i--) {
      value = value << 8 | bytes[at + i] & 0xFF;
    }
    return value;
  }

  @Test
  void shouldDropTheScheduleOfARetiredKeyAndMakeItAnewIfItComesAgain() {
    AeadProvider provider = AeadProviders.discover().select(Records.RECORD_BYTES);
    byte[] key = bytes(16);
    byte[] sealed = new byte[8 + Records.TAG_BYTES];
    byte[] opened = new byte[8];
    try (RecordCipher sealer = provider.recordCipher(key, CipherUse.SEAL);
        RecordOpener opener = new RecordOpener(provider, 2, 1_000)) {
      sealer.seal(7, new byte[8], 0, 8, sealed, 0);
      DataKeyNames names = new DataKeyNames(new PathSecret(SECRET));
      opener.namedBy(names);
      assertTrue(opener.open(key, 7, sealed, 0, 8, 8, opened));
      DataKeyNames.Name ofOther = names.of(bytes(32));
      assertFalse(opener.retire(ofOther));
      assertEquals(1, opener.schedules());
      assertTrue(opener.retire(names.of(key)));
      assertFalse(opener.retire(names.of(key)));
      assertEquals(0, opener.schedules());
      assertEquals(1, opener.retired());
      assertTrue(opener.open(key, 7, sealed, 0, 8, 8, opened));
      assertEquals(2, opener.misses());
    }
  }
}
