package io.millrace.samples.cli;

import io.millrace.config.NicEntry;
import io.millrace.driver.DriverProvider;
import io.millrace.engine.DriverChoice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The drivers on the class path, by name. */
final class Drivers {
  /** Names worth asking for; a provider answers for these names without a registration of each. */
  private static final List<String> BY_NAME =
      List.of("fabric:tcp", "fabric:sockets", "fabric:shm", "fabric:verbs");

  private Drivers() {}

  /** Probes and returns all drivers, the available drivers first, and among these the preferred. */
  static List<DriverFinding> probeAll() {
    List<DriverFinding> findings = new ArrayList<>();
    List<DriverProvider> drivers = new ArrayList<>();
    Iterator<ServiceLoader.Provider<DriverProvider>> providers =
        ServiceLoader.load(DriverProvider.class).stream().iterator();
    while (providers.hasNext()) {
      ServiceLoader.Provider<DriverProvider> provider = providers.next();
      try {
        drivers.add(provider.get());
      } catch (ServiceConfigurationError | LinkageError e) {
        findings.add(DriverFinding.broken(provider.type().getSimpleName(), Sentence.of(e)));
      }
    }
    Stream.concat(drivers.stream(), askedFor(drivers))
        .map(DriverFinding::of)
        .forEach(findings::add);
    findings.sort(
        Comparator.comparing(DriverFinding::isAvailable)
            .thenComparingInt(DriverFinding::preference)
            .reversed()
            .thenComparing(DriverFinding::name));
    return findings;
  }

  /**
   * Checks a name that a user typed.
   *
   * @throws CommandException if no driver has the name, or the driver does not work here
   */
  static void require(String name) {
    requireAvailable(named(name));
  }

  /**
   * Returns the driver that a user typed, which may not work here.
   *
   * @throws CommandException if no driver has the name, or the name is a list
   */
  static DriverProvider named(String name) {
    if (NicEntry.isList(name)) {
      throw CommandException.badArgument(
          "--driver takes one name, not '"
              + name
              + "'; a list is written --set 'millrace.nic.driver=[\"fabric:shm\", udp]'");
    }
    List<DriverProvider> providers = DriverChoice.discover();
    for (DriverProvider provider : providers) {
      DriverProvider driver = provider.named(name);
      if (driver != null) {
        return driver;
      }
    }
    List<String> names = providers.stream().map(DriverProvider::name).toList();
    throw CommandException.badArgument(
        "unknown driver '" + name + "'; here are: " + String.join(", ", names));
  }

  private static void requireAvailable(DriverProvider driver) {
    String reason = DriverFinding.of(driver).reason();
    if (reason != null) {
      throw CommandException.failed(
          "the driver '" + driver.name() + "' does not work here: " + reason);
    }
  }

  private static Stream<DriverProvider> askedFor(List<DriverProvider> drivers) {
    return drivers.stream()
        .flatMap(
            driver ->
                BY_NAME.stream()
                    .filter(name -> !name.equals(driver.name()))
                    .flatMap(name -> Stream.ofNullable(driver.named(name))));
  }
}
