package io.millrace.crypto;

import io.millrace.provider.LoadableProviders;
import io.millrace.provider.Loaders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The installed AES-GCM implementations, and the choice among them. Native implementations serve
 * packets, because they work on native memory without garbage; ACCP serves large records, or the
 * JDK where it has wide vectors, because both are faster on heap arrays. Immutable; any thread.
 */
public final class AeadProviders {
  /** From this many bytes on, a piece counts as a record and no longer as a packet. */
  public static final int RECORD_BYTES = 8 * 1024;

  /** The providers beside Millrace's own classes, after the first search. */
  private static volatile @Nullable AeadProviders found;

  private final List<AeadProvider> all;

  /** A choice among the given providers, tests' own for example. */
  public AeadProviders(List<? extends AeadProvider> providers) {
    all =
        providers.stream()
            .<AeadProvider>map(provider -> provider)
            .sorted(
                Comparator.comparingInt(AeadProvider::packetPreference)
                    .reversed()
                    .thenComparing(AeadProvider::name))
            .toList();
  }

  /** Finds the providers on the class path; a provider that cannot even be loaded is left out. */
  public static AeadProviders discover() {
    return new AeadProviders(LoadableProviders.of(AeadProvider.class));
  }

  /**
   * As {@link #discover}, where a process looks once: providers that are found, or missing, beside
   * Millrace's own classes stay so, and each provider tests itself once. Providers of a thread's
   * class loader are looked for each time.
   */
  public static AeadProviders ofProcess() {
    if (!Loaders.areOwnAlone(AeadProvider.class)) {
      return discover();
    }
    AeadProviders known = found;
    if (known == null) {
      // Two threads that look at once find the same providers.
      known = discover();
      found = known;
    }
    return known;
  }

  /** All providers, available or not, the preferred for packets first. */
  public List<AeadProvider> all() {
    return all;
  }

  /**
   * The preferred available provider for pieces of {@code sizeHintBytes}.
   *
   * @throws IllegalStateException if no provider is available, with all reasons
   */
  public AeadProvider select(int sizeHintBytes) {
    ToIntFunction<AeadProvider> preference =
        sizeHintBytes < RECORD_BYTES
            ? AeadProvider::packetPreference
            : AeadProvider::recordPreference;
    return all.stream()
        .sorted(Comparator.comparingInt(preference).reversed())
        .filter(provider -> provider.probe() instanceof AeadAvailability.Available)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no AES-GCM is available: " + reasons()));
  }

  /**
   * The preferred available provider for authenticated, unenciphered records: a native provider,
   * since the JDK collects bytes that are only authenticated before it works on them.
   *
   * @throws IllegalStateException if no provider is available, with all reasons
   */
  public AeadProvider selectAuthenticating() {
    return select(0);
  }

  /**
   * The provider that a user asked for by name.
   *
   * @throws IllegalArgumentException with a clear sentence if the provider is unknown or
   *     unavailable
   */
  public AeadProvider named(String name) {
    for (AeadProvider provider : all) {
      if (provider.name().equals(name)) {
        if (provider.probe() instanceof AeadAvailability.Unavailable unavailable) {
          throw new IllegalArgumentException(
              "the AEAD provider " + name + " is not available: " + unavailable.reason());
        }
        return provider;
      }
    }
    throw new IllegalArgumentException(
        "there is no AEAD provider "
            + name
            + "; known are "
            + String.join(", ", all.stream().map(AeadProvider::name).toList()));
  }

  private String reasons() {
    List<String> reasons = new ArrayList<>();
    for (AeadProvider provider : all) {
      if (provider.probe() instanceof AeadAvailability.Unavailable unavailable) {
        reasons.add(provider.name() + ": " + unavailable.reason());
      }
    }
    return String.join("; ", reasons);
  }
}
