package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.ControlKeys;
import io.millrace.crypto.DataKeyNames;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PathDirection;
import io.millrace.crypto.PathSecret;
import io.millrace.crypto.WorkerPair;
import io.millrace.driver.EndpointAddress;
import io.millrace.ends.PathCounters;
import io.millrace.handshake.HybridAdvertFrame;
import io.millrace.handshake.KeyAgreement;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.network.RailPlan;
import io.millrace.path.packet.PathKeys;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.ProbeEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** The test vectors of docs/security.md equal the results of this code, and of independent code. */
final class SecurityVectorsTest {
  private static final String DOCUMENT =
      SourceTree.current().file("docs/security.md").orElseThrow().text();
  private static final String BEGIN = "<!-- vectors -->\n";
  private static final String END = "<!-- end of vectors -->";
  private static final HexFormat HEX = HexFormat.of();
  private static final WorkerPair WORKERS = new WorkerPair(1, 2);
  private static final int TAG_BITS = 8 * PacketHeader.TAG_LENGTH;

  private static PathSecret secret() {
    return new PathSecret(counting(0));
  }

  private static AeadKey controlKey(AesKeySize size, int keyId) {
    return new ControlKeys(secret(), size).derive(PathDirection.sending(true), WORKERS, keyId);
  }

  @Test
  void shouldBeWhatTheCodeComputes() {
    int from = DOCUMENT.indexOf(BEGIN) + BEGIN.length();
    String written = DOCUMENT.substring(from, DOCUMENT.indexOf(END));
    assertEquals(computed(), written, "put the first between the marks in docs/security.md");
  }

  private static String computed() {
    return "\n| what | bytes |\n|---|---|\n"
        + row("path id", bytes(secret().pathId()))
        + row("control key 0 and IV, AES-128", material(controlKey(AesKeySize.AES_128, 0)))
        + row("control key 1 and IV, AES-128", material(controlKey(AesKeySize.AES_128, 1)))
        + row("control key 0 and IV, AES-256", material(controlKey(AesKeySize.AES_256, 0)))
        + row("retire key and IV, AES-128", material(retireKey()))
        + row("key of names of data keys", secret().derive(DataKeyNames.LABEL, new byte[0], 32))
        + row("packet", packet())
        + row("context of the exporter", context())
        + row("path secret of TLS", KeyAgreement.plain(counting(0)))
        + row("path secret of TLS and ML-KEM-768", hybrid())
        + "\n";
  }

  private static byte[] counting(int first) {
    byte[] bytes = new byte[PathSecret.LENGTH];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (first + i);
    }
    return bytes;
  }

  private static byte[] frame(int length, int share) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) share);
    return HybridAdvertFrame.encode(bytes, new byte[0]);
  }

  private static byte[] context() {
    return KeyAgreement.context(frame(1_184, 0x11), frame(1_088, 0x22));
  }

  private static byte[] hybrid() {
    return KeyAgreement.hybrid(counting(0), counting(32), context());
  }

  private static String row(String what, byte[] bytes) {
    return "| " + what + " | `" + HEX.formatHex(bytes) + "` |\n";
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static byte[] material(AeadKey key) {
    return ByteBuffer.allocate(key.size().bytes() + AeadKey.IV_LENGTH)
        .put(key.key())
        .put(key.nonce())
        .array();
  }

  private static byte[] probe() {
    byte[] bytes = new byte[FrameStart.LENGTH + ProbeEncoder.BLOCK_LENGTH];
    SegmentBuffer frame = new SegmentBuffer(bytes);
    new ProbeEncoder().wrap(frame, FrameStart.LENGTH).probeId(1).sentNs(2);
    FrameStart.encode(frame, 0, bytes.length, ProbeEncoder.BLOCK_LENGTH, ProbeEncoder.TEMPLATE_ID);
    return bytes;
  }

  /** The packet, sealed as a worker seals packets. */
  private static byte[] packet() {
    byte[] probe = probe();
    byte[] packet = new byte[PacketHeader.OVERHEAD + probe.length];
    SegmentBuffer buffer = new SegmentBuffer(ByteBuffer.allocateDirect(packet.length));
    buffer.putBytes(PacketHeader.LENGTH, probe);
    try (PathKeys keys = keys()) {
      // The number of the first packet, 0, would not show in the nonce; rule K-3.
      keys.seal(buffer, 0, 0);
      buffer.putBytes(PacketHeader.LENGTH, probe);
      keys.seal(buffer, 0, probe.length);
    }
    buffer.getBytes(0, packet);
    return packet;
  }

  private static AeadKey retireKey() {
    return ControlKeys.deriveRetirement(
        secret(), AesKeySize.AES_128, PathDirection.INITIATOR_TO_RESPONDER, WORKERS);
  }

  private static PathKeys keys() {
    PathTerms terms =
        new PathTerms(
            new PeerIncarnation("192.0.2.1:1", 1),
            secret(),
            true,
            WORKERS,
            RailPlan.only(new EndpointAddress("udp", new byte[1]), true),
            1,
            new PathTerms.Window(1, 1),
            new PathTerms.Agreement(1, 1_200, AesKeySize.AES_128, 0, 0, 0),
            PathTerms.Handshake.ofUnproved(1));
    return new PathKeys(
        terms,
        AeadProviders.discover().select(0),
        new KeyLimits(1 << 20, 1L << 36),
        new PathCounters(0));
  }

  private static String documented(String what) {
    String row = "| " + what + " | `";
    int at = DOCUMENT.indexOf(row) + row.length();
    return DOCUMENT.substring(at, DOCUMENT.indexOf('`', at));
  }

  /** The inputs, HMAC and RFC 5869 are enough for the hybrid path secret of the document. */
  @Test
  void shouldBeWhatOthersDerive() throws Exception {
    byte[] both = ByteBuffer.allocate(64).put(counting(0)).put(counting(32)).array();
    byte[] root = hmac(new byte[32], both);
    byte[] label = "millrace1 certified hybrid path".getBytes(StandardCharsets.US_ASCII);
    byte[] context = HEX.parseHex(documented("context of the exporter"));
    byte[] info =
        ByteBuffer.allocate(2 + 1 + label.length + 1 + context.length + 1)
            .putShort((short) 32)
            .put((byte) label.length)
            .put(label)
            .put((byte) context.length)
            .put(context)
            .put((byte) 1)
            .array();
    assertEquals(documented("path secret of TLS and ML-KEM-768"), HEX.formatHex(hmac(root, info)));
  }

  private static byte[] hmac(byte[] key, byte[] text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text);
  }

  /** The key of the document and the JDK are enough to open the packet of the document. */
  @Test
  void shouldBeWhatOthersCanOpen() throws Exception {
    byte[] packet = packet();
    byte[] material = HexFormat.of().parseHex(documented("control key 0 and IV, AES-128"));
    byte[] nonce = Arrays.copyOfRange(material, 16, material.length);
    nonce[nonce.length - 1] ^= 1;
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.DECRYPT_MODE,
        new SecretKeySpec(material, 0, 16, "AES"),
        new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(packet, 0, PacketHeader.LENGTH);
    byte[] body = cipher.doFinal(packet, PacketHeader.LENGTH, packet.length - PacketHeader.LENGTH);
    assertArrayEquals(probe(), body);
    byte[] id = Arrays.copyOfRange(packet, 8, 16);
    assertArrayEquals(
        bytes(Long.reverseBytes(ByteBuffer.wrap(id).getLong())), bytes(secret().pathId()));
  }
}
