package io.millrace.crypto.kem;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.DecapsulateException;
import javax.crypto.KEM;
import javax.security.auth.DestroyFailedException;
import org.jspecify.annotations.Nullable;

/**
 * ML-KEM-768 (FIPS 203) by the JDK: a key pair for a single handshake. Keys and ciphertexts are the
 * bytes of FIPS 203, without a frame around them. Any thread, one at a time; allocates; takes a
 * tenth of a millisecond.
 */
public final class KeyEncapsulation implements AutoCloseable {
  /** An encapsulation key, bytes. */
  public static final int PUBLIC_KEY_BYTES = 1_184;

  /** A ciphertext, bytes. */
  public static final int CIPHERTEXT_BYTES = 1_088;

  /** The shared secret of both sides, bytes. */
  public static final int SECRET_BYTES = 32;

  private static final String KEM_NAME = "ML-KEM";
  private static final String PARAMETERS = "ML-KEM-768";

  /** SubjectPublicKeyInfo of ML-KEM-768 up to the key itself. */
  private static final byte[] X509_PREFIX =
      HexFormat.of().parseHex("308204b2300b0609608648016503040402038204a100");

  private final PrivateKey privateKey;
  private final byte[] publicKey;

  /** A ciphertext for the holder of the private key, and the secret that only both sides know. */
  public record Encapsulated(byte[] ciphertext, byte[] secret) {}

  private KeyEncapsulation(PrivateKey privateKey, byte[] publicKey) {
    this.privateKey = privateKey;
    this.publicKey = publicKey;
  }

  /** Whether this JDK has ML-KEM-768. */
  public static boolean isAvailable() {
    try {
      var _ = KEM.getInstance(KEM_NAME);
      var _ = KeyPairGenerator.getInstance(PARAMETERS);
      return true;
    } catch (NoSuchAlgorithmException e) {
      return false;
    }
  }

  /** A fresh key pair. */
  public static KeyEncapsulation generate() {
    try {
      KeyPair pair = KeyPairGenerator.getInstance(PARAMETERS).generateKeyPair();
      byte @Nullable [] encoded = pair.getPublic().getEncoded();
      if (encoded == null
          || encoded.length != X509_PREFIX.length + PUBLIC_KEY_BYTES
          || !Arrays.equals(encoded, 0, X509_PREFIX.length, X509_PREFIX, 0, X509_PREFIX.length)) {
        throw new IllegalStateException("this JDK writes keys of ML-KEM-768 in an unknown form");
      }
      return new KeyEncapsulation(
          pair.getPrivate(), Arrays.copyOfRange(encoded, X509_PREFIX.length, encoded.length));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no ML-KEM-768", e);
    }
  }

  /** The encapsulation key. */
  public byte[] publicKey() {
    return publicKey.clone();
  }

  /**
   * A fresh secret for the holder of the private key.
   *
   * @return null if these bytes are no encapsulation key
   */
  public static @Nullable Encapsulated encapsulate(byte[] publicKey) {
    if (publicKey.length != PUBLIC_KEY_BYTES) {
      return null;
    }
    byte[] encoded = Arrays.copyOf(X509_PREFIX, X509_PREFIX.length + PUBLIC_KEY_BYTES);
    System.arraycopy(publicKey, 0, encoded, X509_PREFIX.length, PUBLIC_KEY_BYTES);
    try {
      PublicKey key =
          KeyFactory.getInstance(PARAMETERS).generatePublic(new X509EncodedKeySpec(encoded));
      KEM.Encapsulated made = KEM.getInstance(KEM_NAME).newEncapsulator(key).encapsulate();
      byte @Nullable [] secret = made.key().getEncoded();
      if (secret == null) {
        throw new IllegalStateException("this JDK keeps the secrets of ML-KEM-768 to itself");
      }
      return new Encapsulated(made.encapsulation(), secret);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no ML-KEM-768", e);
    } catch (GeneralSecurityException e) {
      return null;
    }
  }

  /**
   * The secret of a ciphertext. A ciphertext for another key yields another secret.
   *
   * @return null if these bytes are no ciphertext
   */
  public byte @Nullable [] decapsulate(byte[] ciphertext) {
    if (ciphertext.length != CIPHERTEXT_BYTES) {
      return null;
    }
    try {
      return KEM.getInstance(KEM_NAME)
          .newDecapsulator(privateKey)
          .decapsulate(ciphertext)
          .getEncoded();
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("this JDK has no ML-KEM-768", e);
    } catch (DecapsulateException e) {
      return null;
    }
  }

  /** Overwrites the private key. Idempotent. */
  @Override
  public void close() {
    try {
      privateKey.destroy();
    } catch (DestroyFailedException e) {
      // A provider whose keys cannot be overwritten: the collector forgets the keys.
      assert !privateKey.isDestroyed();
    }
  }
}
