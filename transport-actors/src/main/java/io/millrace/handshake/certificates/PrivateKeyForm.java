package io.millrace.handshake.certificates;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.RSAKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The forms in which PEM files hold private keys: PKCS#8, and the forms of SEC 1 and PKCS#1, which
 * become PKCS#8 with the algorithm of the certificate in front. Stateless, any thread.
 */
final class PrivateKeyForm {
  private static final String LABEL = "PRIVATE KEY";
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final byte[] VERSION = {2, 1, 0};
  private static final int PROBE_BYTES = 32;

  private PrivateKeyForm() {}

  /** Whether a block is a private key of any form. */
  static boolean isKey(PemBlock block) {
    return block.label().endsWith(LABEL);
  }

  /**
   * The obstacle to reading a key, with the command that mends the obstacle, from a verb on; null
   * without an obstacle.
   */
  static @Nullable String obstacle(PemBlock block, String file) {
    if (!block.ended()) {
      return "holds a private key without an end";
    }
    if (block.label().startsWith("ENCRYPTED") || block.has("ENCRYPTED")) {
      return "holds a private key under a pass phrase, which nobody is there to type; write it"
          + " without one: openssl pkey -in "
          + file
          + " -out key.pem";
    }
    return switch (block.label()) {
      case LABEL, "EC PRIVATE KEY", "RSA PRIVATE KEY" -> null;
      case "OPENSSH PRIVATE KEY" ->
          "holds a private key of OpenSSH; write it as PKCS#8, in place: ssh-keygen -p -N '' -m"
              + " PKCS8 -f "
              + file;
      default ->
          "holds a private key of another form; write it as PKCS#8 without a pass phrase: openssl"
              + " pkcs8 -topk8 -nocrypt -in "
              + file
              + " -out key.pem";
    };
  }

  /** The key; null for a damaged key, or a key of another kind than this public key. */
  static @Nullable PrivateKey read(PemBlock block, PublicKey known) {
    byte[] der = {};
    byte[] encoded = {};
    try {
      der = block.der();
      encoded = block.label().equals(LABEL) ? der : wrapped(der, known);
      return KeyFactory.getInstance(known.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      // The cause may quote the key.
      return null;
    } finally {
      Arrays.fill(der, (byte) 0);
      Arrays.fill(encoded, (byte) 0);
    }
  }

  /** PKCS#8 around a key: its version, the algorithm with the curve, and the key as octets. */
  private static byte[] wrapped(byte[] key, PublicKey known) throws GeneralSecurityException {
    byte[] algorithm = algorithm(known.getEncoded());
    byte[] octets = tagged(OCTETS, key);
    byte[] content = Arrays.copyOf(VERSION, VERSION.length + algorithm.length + octets.length);
    System.arraycopy(algorithm, 0, content, VERSION.length, algorithm.length);
    System.arraycopy(octets, 0, content, VERSION.length + algorithm.length, octets.length);
    try {
      return tagged(SEQUENCE, content);
    } finally {
      Arrays.fill(octets, (byte) 0);
      Arrays.fill(content, (byte) 0);
    }
  }

  /** AlgorithmIdentifier of a SubjectPublicKeyInfo, including the identifier's tag. */
  private static byte[] algorithm(byte @Nullable [] info) throws GeneralSecurityException {
    int from = info == null ? 0 : contentOf(info, 0);
    if (info == null || from + 1 >= info.length || info[from] != SEQUENCE || info[from + 1] < 0) {
      throw new GeneralSecurityException("the public key is of an unknown form");
    }
    return Arrays.copyOfRange(info, from, from + 2 + info[from + 1]);
  }

  private static int contentOf(byte[] der, int at) {
    int length = der[at + 1];
    return at + 2 + (length < 0 ? length & 0x7F : 0);
  }

  private static byte[] tagged(int tag, byte[] content) {
    int size = content.length;
    byte[] head =
        size < 0x80
            ? new byte[] {(byte) tag, (byte) size}
            : size < 0x100
                ? new byte[] {(byte) tag, (byte) 0x81, (byte) size}
                : new byte[] {(byte) tag, (byte) 0x82, (byte) (size >> 8), (byte) size};
    byte[] all = Arrays.copyOf(head, head.length + size);
    System.arraycopy(content, 0, all, head.length, size);
    return all;
  }

  /** Whether the private key and the public key belong together. */
  static boolean belongTogether(PrivateKey key, PublicKey known) {
    if (key instanceof RSAKey one && known instanceof RSAKey other) {
      return one.getModulus().equals(other.getModulus());
    }
    byte[] probe = new byte[PROBE_BYTES];
    new SecureRandom().nextBytes(probe);
    try {
      String kind = key.getAlgorithm();
      Signature signature = Signature.getInstance(kind.equals("EC") ? "SHA256withECDSA" : kind);
      signature.initSign(key);
      signature.update(probe);
      byte[] signed = signature.sign();
      signature.initVerify(known);
      signature.update(probe);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
