package io.millrace.crypto;

import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;

/**
 * The result of a handshake for both sides of a path: 32 secret bytes, the source of all keys of
 * the path, and the path id. Packets carry the path id in clear; the id says nothing about the
 * secret.
 *
 * <p>Safe on any thread. The receiver of the handshake's secret owns the secret and closes it when
 * the path ends; closing overwrites this copy of the secret. A derivation and a close exclude each
 * other by a lock, because a key derived from overwritten bytes would be known to everyone.
 */
public final class PathSecret implements AutoCloseable {
  /** Bytes of the secret. */
  public static final int LENGTH = 32;

  private static final byte[] NO_CONTEXT = {};

  private final byte[] secret;
  private final long pathId;
  private final boolean postQuantum;
  private final Set<Claim> claims = new HashSet<>();
  private boolean closed;

  /**
   * Copies the secret.
   *
   * @param secret {@value #LENGTH} bytes that are indistinguishable from random, as HKDF or a TLS
   *     exporter delivers such bytes
   * @throws IllegalArgumentException if the array has another length
   */
  public PathSecret(byte[] secret) {
    this(secret, false);
  }

  /**
   * Copies the secret, and notes whether a key exchange that a quantum computer does not break is
   * part of the secret.
   *
   * @throws IllegalArgumentException if the array has another length
   */
  public PathSecret(byte[] secret, boolean postQuantum) {
    if (secret.length != LENGTH) {
      throw new IllegalArgumentException("a path secret has 32 bytes, not " + secret.length);
    }
    this.secret = secret.clone();
    this.pathId = pathIdOf(this.secret);
    this.postQuantum = postQuantum;
  }

  private static long pathIdOf(byte[] secret) {
    long id = 0;
    for (byte part : Hkdf.expandLabel(secret, "path id", NO_CONTEXT, Long.BYTES)) {
      id = id << Byte.SIZE | part & 0xFF;
    }
    return id;
  }

  /** Names the path in packet headers; the same on both sides. Stays valid after closing. */
  public long pathId() {
    return pathId;
  }

  /** Whether a key exchange that a quantum computer does not break is part of the secret. */
  public boolean isPostQuantum() {
    return postQuantum;
  }

  /**
   * Derives {@code length} bytes for one label and context, see {@link Hkdf#expandLabel}.
   *
   * @throws IllegalStateException after closing
   */
  public byte[] derive(String label, byte[] context, int length) {
    synchronized (secret) {
      if (closed) {
        throw new IllegalStateException("the path secret " + this + " was closed");
      }
      return Hkdf.expandLabel(secret, label, context, length);
    }
  }

  /**
   * The secret itself, for a key log alone; the caller overwrites the copy.
   *
   * @throws IllegalStateException after closing
   */
  public byte[] copy() {
    synchronized (secret) {
      if (closed) {
        throw new IllegalStateException("the path secret " + this + " was closed");
      }
      return secret.clone();
    }
  }

  /**
   * Takes the right to seal from a worker to another in this direction. The right is given once in
   * the life of the secret: a second sealer would count packets from 0 again, under the same keys.
   *
   * @throws IllegalStateException if the right was taken before, or after closing
   */
  void claimSealing(PathDirection direction, WorkerPair workers) {
    synchronized (secret) {
      if (closed || !claims.add(new Claim(direction, workers))) {
        throw new IllegalStateException(
            "the keys of " + workers + " " + direction + " of " + this + " cannot be used again");
      }
    }
  }

  private record Claim(PathDirection direction, WorkerPair workers) {}

  /** Overwrites the secret. Idempotent. */
  @Override
  public void close() {
    synchronized (secret) {
      closed = true;
      Arrays.fill(secret, (byte) 0);
    }
  }

  /** The path id; never a byte of the secret. */
  @Override
  public String toString() {
    return "PathSecret[pathId=" + HexFormat.of().toHexDigits(pathId) + ", secret redacted]";
  }
}
