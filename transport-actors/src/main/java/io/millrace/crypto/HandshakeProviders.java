package io.millrace.crypto;

import io.millrace.provider.LoadableProviders;
import java.util.Comparator;
import java.util.List;

/**
 * The installed handshakes, from which the settings choose a handshake by name. Immutable; any
 * thread.
 */
public final class HandshakeProviders {
  private final List<HandshakeProvider> all;

  /** A choice among the given providers, tests' own for example. */
  public HandshakeProviders(List<? extends HandshakeProvider> providers) {
    all =
        providers.stream()
            .<HandshakeProvider>map(provider -> provider)
            .sorted(Comparator.comparing(HandshakeProvider::name))
            .toList();
  }

  /** Finds the providers on the class path; a provider that cannot even be loaded is left out. */
  public static HandshakeProviders discover() {
    return new HandshakeProviders(LoadableProviders.of(HandshakeProvider.class));
  }

  /** All providers, available or not, by name. */
  public List<HandshakeProvider> all() {
    return all;
  }

  /**
   * The provider that a user asked for by name.
   *
   * @throws IllegalArgumentException with a clear sentence if the provider is unknown or
   *     unavailable
   */
  public HandshakeProvider named(String name) {
    for (HandshakeProvider provider : all) {
      if (provider.name().equals(name)) {
        if (provider.probe() instanceof HandshakeAvailability.Unavailable unavailable) {
          throw new IllegalArgumentException(
              "the handshake provider " + name + " is not available: " + unavailable.reason());
        }
        return provider;
      }
    }
    throw new IllegalArgumentException(
        "there is no handshake provider "
            + name
            + "; known are "
            + String.join(", ", all.stream().map(HandshakeProvider::name).toList()));
  }
}
