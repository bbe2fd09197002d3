package io.millrace.actor.pool;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Chooses the driver: the one that was named, or the preferred one that works here. */
public final class DriverChoice {
  private static final String AUTO = "auto";

  private DriverChoice() {}

  /** The drivers on the class path, the preferred first; one that cannot be loaded is left out. */
  public static List<DriverProvider> discover() {
    List<DriverProvider> found = new ArrayList<>();
    for (ServiceLoader.Provider<DriverProvider> candidate :
        ServiceLoader.load(DriverProvider.class).stream().toList()) {
      addIfLoadable(candidate, found);
    }
    found.sort(Comparator.comparingInt(DriverProvider::preference).reversed());
    return found;
  }

  private static void addIfLoadable(
      ServiceLoader.Provider<DriverProvider> candidate, List<DriverProvider> found) {
    try {
      found.add(candidate.get());
    } catch (ServiceConfigurationError | LinkageError e) {
      // It needs what this system does not have; the others must still be found.
    }
  }

  /**
   * The driver of this name, or the best for {@code auto}.
   *
   * @throws TransportException naming what is there, or why it does not work
   */
  static DriverProvider choose(String name) {
    List<DriverProvider> found = discover();
    return name.equals(AUTO) ? best(found) : named(name, found);
  }

  private static DriverProvider best(List<DriverProvider> found) {
    StringBuilder reasons = new StringBuilder();
    for (DriverProvider provider : found) {
      String reason = unavailable(provider);
      if (reason == null) {
        return provider;
      }
      reasons.append("; ").append(provider.name()).append(": ").append(reason);
    }
    throw new TransportException("no driver works here" + reasons, null);
  }

  private static DriverProvider named(String name, List<DriverProvider> found) {
    for (DriverProvider provider : found) {
      DriverProvider named = provider.named(name);
      if (named != null) {
        String reason = unavailable(named);
        if (reason != null) {
          throw new TransportException("driver '" + name + "' does not work here: " + reason, null);
        }
        return named;
      }
    }
    throw new TransportException(
        "unknown driver '"
            + name
            + "'; here are: "
            + String.join(", ", found.stream().map(DriverProvider::name).toList()),
        null);
  }

  /** Whether endpoints of the driver write into the memory of peers. */
  static boolean isOneSided(DriverProvider driver) {
    return driver.probe() instanceof DriverAvailability.Available yes
        && yes.capabilities().oneSided();
  }

  private static @Nullable String unavailable(DriverProvider provider) {
    return provider.probe() instanceof DriverAvailability.Unavailable no ? no.reason() : null;
  }
}
