package io.millrace.engine;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.nic.NodeNics;
import io.millrace.node.TransportException;
import io.millrace.provider.LoadableProviders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Chooses the driver: the named driver, or the preferred driver that works here. */
public final class DriverChoice {
  private static final String AUTO = "auto";

  private DriverChoice() {}

  /**
   * The drivers on the class path, the preferred first; a driver that cannot be loaded is left out.
   */
  public static List<DriverProvider> discover() {
    return discover((driver, reason) -> {});
  }

  private static List<DriverProvider> discover(BiConsumer<String, String> onPassedOver) {
    List<DriverProvider> found = LoadableProviders.of(DriverProvider.class, onPassedOver);
    found.sort(Comparator.comparingInt(DriverProvider::preference).reversed());
    return found;
  }

  /**
   * The driver of this name, or the best for {@code auto}: the preferred driver that works here and
   * opens an endpoint. If no driver opens an endpoint, the best driver that seems to work, whose
   * own failure then names the reason.
   *
   * @param trial how endpoints will be opened
   * @param onPassedOver with {@code auto}, told the name of each driver that is preferred to the
   *     chosen driver and does not work here, and the reason
   * @throws TransportException naming the present drivers, or the reason why the driver does not
   *     work
   */
  static DriverProvider choose(
      String name, EndpointSettings trial, BiConsumer<String, String> onPassedOver) {
    return chooseAll(List.of(name), trial, onPassedOver).getFirst();
  }

  /**
   * The drivers of a NIC: the named drivers that work here, in their order. For {@code auto}, the
   * best driver, and behind it the best driver of another family that every peer may share.
   *
   * @throws TransportException if no driver works, or a name is unknown
   */
  static List<DriverProvider> chooseAll(
      List<String> names, EndpointSettings trial, BiConsumer<String, String> onPassedOver) {
    List<DriverProvider> chosen = new ArrayList<>();
    List<DriverProvider> found = discover(onPassedOver);
    for (String name : names) {
      if (name.equals(AUTO)) {
        DriverProvider best = best(found, provider -> refusal(provider, trial), onPassedOver);
        chosen.add(best);
        found.stream()
            .filter(other -> !other.family().equals(best.family()) && !NodeNics.isOneSided(other))
            .filter(other -> unavailable(other) == null)
            .findFirst()
            .ifPresent(chosen::add);
      } else if (names.size() == 1) {
        chosen.add(named(name, found));
      } else {
        addNamed(name, found, chosen, onPassedOver);
      }
    }
    if (chosen.isEmpty()) {
      throw new TransportException("none of the drivers " + names + " works here", null);
    }
    return chosen;
  }

  /** Leaves a driver that does not work here out of several. */
  private static void addNamed(
      String name,
      List<DriverProvider> found,
      List<DriverProvider> chosen,
      BiConsumer<String, String> onPassedOver) {
    try {
      chosen.add(named(name, found));
    } catch (TransportException e) {
      onPassedOver.accept(name, String.valueOf(e.getMessage()));
    }
  }

  /** The first of these drivers that works. */
  static DriverProvider best(
      List<DriverProvider> found,
      Function<DriverProvider, @Nullable String> trial,
      BiConsumer<String, String> onPassedOver) {
    DriverProvider seeming = null;
    StringBuilder reasons = new StringBuilder();
    Map<String, String> passedOver = new LinkedHashMap<>();
    for (DriverProvider provider : found) {
      String reason = unavailable(provider);
      if (reason == null) {
        reason = trial.apply(provider);
        if (reason == null) {
          passedOver.forEach(onPassedOver);
          return provider;
        }
        seeming = seeming == null ? provider : seeming;
      }
      passedOver.put(provider.name(), reason);
      reasons.append("; ").append(provider.name()).append(": ").append(reason);
    }
    if (seeming != null) {
      return seeming;
    }
    passedOver.forEach(onPassedOver);
    throw new TransportException(
        found.isEmpty()
            ? "no driver is on the class path; add the artifact udp-driver, or efa-driver"
            : "no driver works here" + reasons,
        null);
  }

  /**
   * The reason why the driver opens no endpoint, or null. Drivers whose NICs write into memory are
   * tried: their registrations may exceed the system's allowance, and their probe does not see the
   * excess.
   */
  static @Nullable String refusal(DriverProvider provider, EndpointSettings trial) {
    if (!NodeNics.isOneSided(provider)) {
      return null;
    }
    try (Endpoint _ = provider.open(trial)) {
      return null;
    } catch (DriverException | RuntimeException | LinkageError e) {
      return String.valueOf(e.getMessage());
    }
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

  private static @Nullable String unavailable(DriverProvider provider) {
    return provider.probe() instanceof DriverAvailability.Unavailable no ? no.reason() : null;
  }
}
