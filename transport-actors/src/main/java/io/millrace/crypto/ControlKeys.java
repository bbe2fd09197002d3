package io.millrace.crypto;

/**
 * Derives the control keys of a path: a key for each direction, source worker, destination worker
 * and key id. So no two workers ever share a key, and the next key needs no talk with the peer.
 *
 * <p>A key and the start of its nonces are one output of {@link PathSecret#derive} under the label
 * {@value #LABEL} with 7 bytes of context: direction, source worker, destination worker, key id (4
 * bytes, big endian). The length of the output tells AES-128 from AES-256.
 *
 * <p>Each worker and path has its own instance, used on the worker's thread; allocates.
 */
public final class ControlKeys {
  /** Label of control keys. */
  public static final String LABEL = "control key";

  /** Label of the keys of the messages that retire other keys. */
  public static final String RETIREMENT_LABEL = "retire key";

  private static final int CONTEXT_LENGTH = 7;

  private final PathSecret secret;
  private final AesKeySize size;
  private final Runnable onDerived;
  private long derivations;

  /** Keys of {@code size} from {@code secret}, which stays the owner's. */
  public ControlKeys(PathSecret secret, AesKeySize size) {
    this(secret, size, () -> {});
  }

  /**
   * Keys of {@code size} from {@code secret}, which stays the owner's.
   *
   * @param onDerived runs at each derivation
   */
  public ControlKeys(PathSecret secret, AesKeySize size, Runnable onDerived) {
    this.secret = secret;
    this.size = size;
    this.onDerived = onDerived;
  }

  /**
   * Derives a key.
   *
   * @param keyId any 32 bits
   * @throws IllegalStateException after the path secret was closed
   */
  public AeadKey derive(PathDirection direction, WorkerPair workers, int keyId) {
    byte[] context = new byte[CONTEXT_LENGTH];
    context[0] = (byte) direction.code();
    context[1] = (byte) workers.source();
    context[2] = (byte) workers.destination();
    for (int i = 0; i < Integer.BYTES; i++) {
      context[3 + i] = (byte) (keyId >>> (Integer.BYTES - 1 - i) * Byte.SIZE);
    }
    derivations++;
    onDerived.run();
    return new AeadKey(secret.derive(LABEL, context, size.bytes() + AeadKey.IV_LENGTH));
  }

  /**
   * Derives the key of the messages that retire other keys: one for each direction, source worker
   * and destination worker of a path, by {@value #RETIREMENT_LABEL} with these 3 bytes as context.
   *
   * @throws IllegalStateException if the path secret was closed
   */
  public static AeadKey deriveRetirement(
      PathSecret secret, AesKeySize size, PathDirection direction, WorkerPair workers) {
    byte[] context = {
      (byte) direction.code(), (byte) workers.source(), (byte) workers.destination()
    };
    return new AeadKey(secret.derive(RETIREMENT_LABEL, context, size.bytes() + AeadKey.IV_LENGTH));
  }

  /** See {@link PathSecret#claimSealing}. */
  void claimSealing(PathDirection direction, WorkerPair workers) {
    secret.claimSealing(direction, workers);
  }

  /** The number of derived keys. */
  public long derivations() {
    return derivations;
  }
}
