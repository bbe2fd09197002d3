package io.millrace.actor.pool;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverProvider;
import io.millrace.node.TransportException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Chooses the driver: the one that was named, or the preferred one that works here. */
public final class DriverChoice {
  private static final String AUTO = "auto";

  private DriverChoice() {}

  /** The drivers on the class path, the preferred first; one that cannot be loaded is left out. */
  public static List<DriverProvider> discover() {
    return discover((driver, reason) -> {});
  }

  private static List<DriverProvider> discover(BiConsumer<String, String> onPassedOver) {
    List<DriverProvider> found = new ArrayList<>();
    for (ServiceLoader.Provider<DriverProvider> candidate :
        ServiceLoader.load(DriverProvider.class).stream().toList()) {
      addIfLoadable(candidate, found, onPassedOver);
    }
    found.sort(Comparator.comparingInt(DriverProvider::preference).reversed());
    return found;
  }

  private static void addIfLoadable(
      ServiceLoader.Provider<DriverProvider> candidate,
      List<DriverProvider> found,
      BiConsumer<String, String> onPassedOver) {
    try {
      found.add(candidate.get());
    } catch (ServiceConfigurationError | LinkageError e) {
      // It needs what this system does not have; the others must still be found.
      onPassedOver.accept(candidate.type().getName(), String.valueOf(e.getMessage()));
    }
  }

  /**
   * The driver of this name, or the best for {@code auto}.
   *
   * @param onPassedOver with {@code auto}, told the name of each driver that is preferred to the
   *     one chosen and does not work here, and why
   * @throws TransportException naming what is there, or why it does not work
   */
  static DriverProvider choose(String name, BiConsumer<String, String> onPassedOver) {
    return name.equals(AUTO) ? best(discover(onPassedOver), onPassedOver) : named(name, discover());
  }

  /** The first of these that works. */
  static DriverProvider best(List<DriverProvider> found, BiConsumer<String, String> onPassedOver) {
    StringBuilder reasons = new StringBuilder();
    for (DriverProvider provider : found) {
      String reason = unavailable(provider);
      if (reason == null) {
        return provider;
      }
      onPassedOver.accept(provider.name(), reason);
      reasons.append("; ").append(provider.name()).append(": ").append(reason);
    }
    throw new TransportException(
        found.isEmpty()
            ? "no driver is on the class path; add the artifact udp-driver, or efa-driver"
            : "no driver works here" + reasons,
        null);
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
