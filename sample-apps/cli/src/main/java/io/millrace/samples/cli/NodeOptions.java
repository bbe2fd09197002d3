package io.millrace.samples.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValueFactory;
import io.millrace.config.IdleStrategyKind;
import io.millrace.config.TransportSettings;
import io.millrace.driver.DriverProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/**
 * The options of commands that start a node. The order of precedence, strongest first: {@code
 * --set}, the other options, {@code --config}, the command's own preferences, the defaults.
 */
final class NodeOptions {
  /**
   * The preferences of a command whose nodes share one machine. The nodes share its cores, and a
   * node that waits for a core is late, not gone.
   */
  static final Map<String, String> ONE_MACHINE =
      Map.of(
          "millrace.workers.idle-strategy", "BACKOFF",
          "millrace.nic.failover.silence", "5 s",
          "millrace.recovery.probe-period", "5 s",
          "millrace.recovery.fail-after", "10 s",
          "millrace.recovery.unanswered-probes", "100");

  private static final String ROOT = "millrace.";
  private static final String NICS = "millrace.nics";

  @Option(
      names = "--driver",
      paramLabel = "NAME",
      description = "The driver to use, for example udp or udp-nio; 'millrace info' lists drivers.")
  private @Nullable String driver;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A HOCON file with settings of the block 'millrace'.")
  private @Nullable Path configFile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting, for example millrace.workers.count=2. May be repeated.")
  private List<String> assignments = new ArrayList<>();

  /**
   * Returns the user's choices over the command's preferences, without the defaults.
   *
   * @throws CommandException if the file cannot be read, an assignment is malformed, or an entry of
   *     {@code millrace.nics} has drivers beside {@code --driver}
   */
  Config overrides(Map<String, String> preferences, Map<String, String> chosen) {
    Config config = ofOptions(chosen);
    if (driver != null) {
      Drivers.require(driver);
      config = config.withValue("millrace.nic.driver", ConfigValueFactory.fromAnyRef(driver));
    }
    Config overrides = withFile(config, preferences);
    if (driver != null) {
      refuseOtherDrivers(overrides.withFallback(ConfigFactory.load()).resolve());
    }
    return overrides;
  }

  /** Entries of {@code millrace.nics} with drivers of their own would take no notice of ours. */
  private static void refuseOtherDrivers(Config config) {
    if (config.getValue(NICS) instanceof ConfigList nics
        && nics.stream()
            .anyMatch(nic -> nic instanceof ConfigObject o && o.containsKey("driver"))) {
      throw CommandException.badArgument(
          "--driver has no effect on entries of 'millrace.nics' with a key 'driver'; leave one of"
              + " the two out");
    }
  }

  /**
   * Returns the driver of {@code --driver}, which may not work here.
   *
   * @throws CommandException if the option is missing, or no driver has the name
   */
  DriverProvider driver() {
    if (driver == null) {
      throw CommandException.badArgument("--driver NAME is missing");
    }
    return Drivers.named(driver);
  }

  /**
   * Returns a setting of {@code --set} or {@code --config}, or the default.
   *
   * @throws CommandException if the file cannot be read or an assignment is malformed
   */
  String chosen(String key, String usual) {
    return withFile(ConfigFactory.empty(), Map.of(key, usual)).resolve().getString(key);
  }

  private Config withFile(Config chosen, Map<String, String> preferences) {
    Config config = chosen;
    for (String assignment : assignments) {
      config = assigned(assignment).withFallback(config);
    }
    return config.withFallback(ofFile()).withFallback(ofOptions(preferences));
  }

  /** Returns the settings of these overrides, over the defaults. Readies the log, too. */
  static TransportSettings settings(Config overrides) {
    // SLF4J would print about its first use by several threads at once, as in a node.
    LoggerFactory.getILoggerFactory();
    TransportSettings settings =
        TransportSettings.from(overrides.withFallback(ConfigFactory.load()).resolve());
    if (settings.workers().idleStrategy() == IdleStrategyKind.CALLER_RUNS) {
      throw CommandException.badArgument(
          "configuration key 'millrace.workers.idle-strategy' must be BUSY_SPIN or BACKOFF here:"
              + " CALLER_RUNS is for applications that run the loops themselves");
    }
    return settings;
  }

  private static Config ofOptions(Map<String, String> values) {
    Config config = ConfigFactory.empty();
    for (Map.Entry<String, String> entry : values.entrySet()) {
      config =
          config.withValue(
              entry.getKey(), ConfigValueFactory.fromAnyRef(entry.getValue(), "option"));
    }
    return config;
  }

  private Config ofFile() {
    if (configFile == null) {
      return ConfigFactory.empty();
    }
    try {
      return ConfigFactory.parseString(
          Files.readString(configFile),
          ConfigParseOptions.defaults()
              .setOriginDescription(String.valueOf(configFile.getFileName())));
    } catch (IOException e) {
      throw CommandException.badArgument("--config: " + Sentence.of(e));
    } catch (ConfigException e) {
      throw CommandException.badArgument(
          "the configuration file '" + configFile + "' is not HOCON: " + Sentence.of(e));
    }
  }

  private static Config assigned(String assignment) {
    int equals = assignment.indexOf('=');
    if (equals <= 0) {
      throw CommandException.badArgument("--set wants KEY=VALUE, not '" + assignment + "'");
    }
    String key = assignment.substring(0, equals).strip();
    String value = assignment.substring(equals + 1).strip();
    if (!key.startsWith(ROOT)) {
      throw CommandException.badArgument(
          "configuration key '" + key + "' is unknown; keys start with '" + ROOT + "'");
    }
    try {
      return ConfigFactory.parseString(key + " = " + value);
    } catch (ConfigException e) {
      return plainText(key, value);
    }
  }

  /**
   * Sets text such as {@code 127.0.0.1:0}: HOCON wants such text quoted, and a shell makes quotes
   * hard.
   */
  private static Config plainText(String key, String value) {
    try {
      return ConfigFactory.empty().withValue(key, ConfigValueFactory.fromAnyRef(value, "--set"));
    } catch (ConfigException e) {
      throw CommandException.badArgument("configuration key '" + key + "' is malformed");
    }
  }
}
