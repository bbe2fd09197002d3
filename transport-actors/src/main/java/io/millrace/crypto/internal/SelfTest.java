package io.millrace.crypto.internal;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.PacketCipher;
import io.millrace.memory.SegmentBuffer;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.function.BiFunction;

/**
 * Seals and opens a packet of known bytes (test case 4 of the GCM specification) before a provider
 * calls itself available: a function with the right name need not be the right function.
 */
final class SelfTest {
  private static final String KEY = "feffe9928665731c6d6a8f9467308308cafebabefacedbaddecaf888";
  private static final String HEADER = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
  private static final String BODY =
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
          + "b16aedf5aa0de657ba637b39";
  private static final String SEALED =
      "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05"
          + "1ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47";

  private SelfTest() {}

  /** The fault of the ciphers, as a sentence, or an empty text. */
  static String complaint(BiFunction<AeadKey, CipherUse, PacketCipher> ciphers) {
    HexFormat hex = HexFormat.of();
    byte[] header = hex.parseHex(HEADER);
    byte[] body = hex.parseHex(BODY);
    byte[] packet = new byte[header.length + body.length + PacketCipher.TAG_LENGTH];
    SegmentBuffer buffer = new SegmentBuffer(ByteBuffer.allocateDirect(packet.length));
    buffer.putBytes(0, header);
    buffer.putBytes(header.length, body);
    try (AeadKey key = new AeadKey(hex.parseHex(KEY));
        PacketCipher sealer = ciphers.apply(key, CipherUse.SEAL);
        PacketCipher opener = ciphers.apply(key, CipherUse.OPEN)) {
      sealer.seal(buffer, 0, header.length, body.length, 0);
      buffer.getBytes(0, packet);
      if (!hex.formatHex(packet).equals(HEADER + SEALED)) {
        return "it enciphers known bytes wrongly";
      }
      if (!opener.open(buffer, 0, header.length, body.length, 0)) {
        return "the cipher does not open its own seal";
      }
      buffer.putBytes(0, packet);
      buffer.putByte(0, (byte) ~packet[0]);
      return opener.open(buffer, 0, header.length, body.length, 0)
          ? "it opens what was changed on the way"
          : "";
    } catch (IllegalStateException e) {
      return "it refuses to work: " + e.getMessage();
    }
  }
}
