package io.millrace.crypto.internal;

import io.millrace.crypto.AeadAvailability;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.RecordCipher;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the native providers: the search for their library, once, at the first
 * question; then the self test.
 *
 * @param <C> the functions of the library
 */
abstract class NativeProvider<C> implements AeadProvider {
  private volatile @Nullable C calls;
  // Written once, under the lock; a thread that finds the value does not take the lock.
  private volatile @Nullable AeadAvailability availability;

  /** System property with a file name or path that is tried before all other candidates. */
  abstract String property();

  /** Where to look, in this order. */
  abstract List<String> candidates();

  /** The symbols that the library must export. */
  abstract List<String> symbols();

  /** Binds to the found library. */
  abstract C bind(SymbolLookup symbols);

  /** Makes a cipher that calls the library. */
  abstract NativePacketCipher cipher(C calls, AeadKey key, CipherUse use, KeyLimits limits);

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
    return cipher(bound(), key, use, limits);
  }

  @Override
  public final RecordCipher recordCipher(byte[] key, CipherUse use) {
    requireAvailable();
    return recordCipher(bound(), key, use);
  }

  /** Makes a cipher of records, by the calls for packets if the library has no better calls. */
  RecordCipher recordCipher(C calls, byte[] key, CipherUse use) {
    // Zeros in the place of a packet key's nonce part: a record's nonce is its number.
    try (AeadKey bare = new AeadKey(Arrays.copyOf(key, key.length + AeadKey.IV_LENGTH))) {
      return new NativeRecordCipher(cipher(calls, bare, use, KeyLimits.DEFAULT), use);
    }
  }

  private void requireAvailable() {
    if (probe() instanceof AeadAvailability.Unavailable unavailable) {
      throw new IllegalStateException(name() + " is not available: " + unavailable.reason());
    }
  }

  private C bound() {
    C bound = calls;
    if (bound == null) {
      throw new IllegalStateException(name() + " was not probed");
    }
    return bound;
  }

  private AeadAvailability search() {
    List<String> places = new ArrayList<>();
    String wanted = System.getProperty(property());
    if (wanted != null) {
      places.add(wanted);
    }
    places.addAll(candidates());
    return switch (NativeLibrary.find(places, symbols())) {
      case NativeLibrary.Search.Missing missing ->
          new AeadAvailability.Unavailable(
              missing.reason() + " (-D" + property() + " names another)");
      case NativeLibrary.Search.Found found -> tested(found);
    };
  }

  private AeadAvailability tested(NativeLibrary.Search.Found found) {
    C bound = bind(found.symbols());
    String complaint = SelfTest.complaint((key, use) -> cipher(bound, key, use, KeyLimits.DEFAULT));
    if (!complaint.isEmpty()) {
      return new AeadAvailability.Unavailable(found.name() + " failed its test: " + complaint);
    }
    calls = bound;
    return new AeadAvailability.Available(found.name() + " by native calls, without garbage");
  }
}
