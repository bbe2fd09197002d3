package io.millrace.crypto.internal;

import io.millrace.crypto.AeadAvailability;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.RecordCipher;
import java.security.Provider;
import org.jspecify.annotations.Nullable;

/** The common part of the providers behind the JDK's security interface. */
abstract class JcaProvider implements AeadProvider {
  // Written once, under the lock; a thread that finds the value does not take the lock.
  private volatile @Nullable AeadAvailability availability;
  private volatile @Nullable Provider provider;

  /** The provider, or null without the provider; an exception becomes the reason. */
  abstract @Nullable Provider find();

  /** The text about a missing provider. */
  abstract String whyMissing();

  @Override
  public final AeadAvailability probe() {
    AeadAvailability known = availability;
    return known == null ? probeOnce() : known;
  }

  private synchronized AeadAvailability probeOnce() {
    AeadAvailability known = availability;
    if (known == null) {
      known = search();
      availability = known;
    }
    return known;
  }

  @Override
  public final PacketCipher cipher(AeadKey key, CipherUse use, KeyLimits limits) {
    requireAvailable();
    return new JcaPacketCipher(found(), key, use, limits);
  }

  @Override
  public final RecordCipher recordCipher(byte[] key, CipherUse use) {
    // SunJCE takes 24 bytes as well, which the native libraries are not asked for.
    AesKeySize.ofBytes(key.length);
    requireAvailable();
    return new JcaRecordCipher(found(), key, use);
  }

  private void requireAvailable() {
    if (probe() instanceof AeadAvailability.Unavailable unavailable) {
      throw new IllegalStateException(name() + " is not available: " + unavailable.reason());
    }
  }

  private Provider found() {
    Provider found = provider;
    if (found == null) {
      throw new IllegalStateException(name() + " was not probed");
    }
    return found;
  }

  private AeadAvailability search() {
    try {
      Provider found = find();
      if (found == null) {
        return new AeadAvailability.Unavailable(whyMissing());
      }
      String complaint =
          SelfTest.complaint((key, use) -> new JcaPacketCipher(found, key, use, KeyLimits.DEFAULT));
      if (!complaint.isEmpty()) {
        return new AeadAvailability.Unavailable(found.getName() + " failed its test: " + complaint);
      }
      provider = found;
      return new AeadAvailability.Available(
          found.getName()
              + " "
              + found.getVersionStr()
              + " on heap arrays, makes garbage per packet");
    } catch (RuntimeException | LinkageError e) {
      return new AeadAvailability.Unavailable("it cannot be loaded: " + e);
    }
  }
}
