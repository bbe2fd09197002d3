package io.millrace.testkit.sim.node;

import io.millrace.crypto.AeadAvailability;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.RecordCipher;
import java.util.ArrayList;
import java.util.List;

/**
 * The ciphers of one life of a node. A process that dies gives its native memory back; a life that
 * crashes closes nothing, so that is done here. Simulation thread only.
 */
final class LifeCiphers implements AutoCloseable {
  /** Looking for native libraries takes long, so it is done once. */
  private static final class Found {
    private static final List<AeadProvider> ALL = AeadProviders.discover().all();
  }

  private final AeadProviders providers =
      new AeadProviders(Found.ALL.stream().map(Tracking::new).toList());
  private final List<AutoCloseable> made = new ArrayList<>();

  AeadProviders providers() {
    return providers;
  }

  /** Closes what is not closed yet. */
  @Override
  public void close() {
    for (AutoCloseable cipher : made) {
      try {
        cipher.close();
      } catch (Exception e) {
        throw new IllegalStateException("a cipher cannot be closed", e);
      }
    }
    made.clear();
  }

  private final class Tracking implements AeadProvider {
    private final AeadProvider actual;

    private Tracking(AeadProvider actual) {
      this.actual = actual;
    }

    @Override
    public String name() {
      return actual.name();
    }

    @Override
    public int packetPreference() {
      return actual.packetPreference();
    }

    @Override
    public int recordPreference() {
      return actual.recordPreference();
    }

    @Override
    public AeadAvailability probe() {
      return actual.probe();
    }

    @Override
    public PacketCipher cipher(AeadKey key, CipherUse use, KeyLimits limits) {
      PacketCipher cipher = actual.cipher(key, use, limits);
      made.add(cipher);
      return cipher;
    }

    @Override
    public RecordCipher recordCipher(byte[] key, CipherUse use) {
      RecordCipher cipher = actual.recordCipher(key, use);
      made.add(cipher);
      return cipher;
    }
  }
}
