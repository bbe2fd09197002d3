package io.millrace.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import io.millrace.provider.Loaders;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Everything that can be set on a transport, read once from the block {@code millrace}. {@code
 * reference.conf} has the defaults and the meaning of each key. A method {@code with...} sets a key
 * over the value that was read, and refuses the values that the key refuses, with the same words.
 *
 * @param handshake the handshake address and the authentication
 * @param workers threads, cores and loops
 * @param nic endpoints and sockets
 * @param limits bounds of the state that a node keeps
 * @param recovery loss recovery, liveness and congestion control
 * @param crypto control keys
 * @param scheduler priorities
 * @param transfers transfers that do not fit a datagram
 * @param regions memory for the writes of peers
 * @param streams streams of elements
 */
public record TransportSettings(
    HandshakeSettings handshake,
    WorkerSettings workers,
    NicSettings nic,
    LimitSettings limits,
    RecoverySettings recovery,
    CryptoSettings crypto,
    SchedulerSettings scheduler,
    TransferSettings transfers,
    RegionSettings regions,
    StreamSettings streams) {
  private static final String ROOT = "millrace";

  /**
   * The values of {@code millrace.profile}. A default that depends on the profile is a block with a
   * value for each profile; a value in place of the block counts in every profile.
   */
  enum Profile {
    SHARED,
    DEDICATED,
    CONTAINER,
    WAN;

    private final String suffix = "." + name().toLowerCase(Locale.ROOT);

    /** The configuration with the chosen profile's value in place of each such block. */
    private static Config chosen(Config config) {
      Profile profile = Section.of(config, ROOT).choice("profile", Profile.class);
      Config chosen = config;
      for (Map.Entry<String, ConfigValue> entry : config.getConfig(ROOT).entrySet()) {
        if (entry.getKey().endsWith(profile.suffix)) {
          chosen = chosen.withValue(ROOT + "." + setting(entry.getKey()), entry.getValue());
        }
      }
      return chosen;
    }

    /** The setting of a key: the key itself, or the block of a profile's value. */
    static String setting(String key) {
      for (Profile profile : values()) {
        if (key.endsWith(profile.suffix)) {
          return key.substring(0, key.length() - profile.suffix.length());
        }
      }
      return key;
    }
  }

  /**
   * Reads the block {@code millrace} of a configuration whose defaults are loaded.
   *
   * @throws SettingsException naming the first key that is missing, unknown or out of range
   */
  public static TransportSettings from(Config config) {
    rejectUnknown(config);
    Section root = Section.of(Profile.chosen(config), ROOT);
    NicSettings nic = NicSettings.from(root.child("nic"), root);
    return new TransportSettings(
        HandshakeSettings.from(root.child("handshake"), root.child("access")),
        WorkerSettings.from(root.child("workers"), nic.places().nics()),
        nic,
        LimitSettings.from(root.child("limits"), root.child("events"), root.child("retry")),
        RecoverySettings.from(root.child("recovery"), root.child("congestion")),
        CryptoSettings.from(root.child("crypto")),
        SchedulerSettings.from(root.child("scheduler")),
        TransferSettings.from(root.child("transfers"), root.child("causality")),
        RegionSettings.from(root.child("regions")),
        StreamSettings.from(root.child("streams")));
  }

  /**
   * Reads these overrides, for example {@code millrace.workers.count = 2}, over the defaults and
   * whatever the application's configuration says.
   *
   * @throws SettingsException as {@link #from(Config)}, or if the text is not HOCON
   */
  public static TransportSettings parse(String overrides) {
    return from(load(overrides));
  }

  /**
   * The defaults and whatever the application's configuration says. A node needs {@link #withTls
   * certificates}, too, or in a closed lab a {@link #withPsk key}: there is no default.
   *
   * @throws SettingsException as {@link #from(Config)}
   */
  public static TransportSettings defaults() {
    return from(load(""));
  }

  /**
   * Sets {@code millrace.handshake.psk}, the secret that admits a node to a closed lab, and sets
   * the provider to {@code psk}.
   *
   * @param hex 64 hexadecimal digits or more
   * @throws SettingsException if the text is no such number
   */
  public TransportSettings withPsk(String hex) {
    return with(handshake.withPsk(hex), nic);
  }

  /**
   * Sets the files of {@code millrace.handshake.tls}, and sets the provider to {@code tls}. The
   * transport reads the files at its start, and again after each change of a file.
   *
   * @param authorities PEM file of the certificates of the authorities that vouch for peers
   * @param certificate PEM file of this node's certificate, with the intermediate certificates up
   *     to an authority
   * @param privateKey PEM file of the node's private key, without a pass phrase
   */
  public TransportSettings withTls(String authorities, String certificate, String privateKey) {
    return with(handshake.withTls(authorities, certificate, privateKey), nic);
  }

  /** Sets the files of the handshake as {@link #withTls(String, String, String)}. */
  public TransportSettings withTls(Path authorities, Path certificate, Path privateKey) {
    return withTls(
        Objects.requireNonNull(authorities, "authorities").toString(),
        Objects.requireNonNull(certificate, "certificate").toString(),
        Objects.requireNonNull(privateKey, "privateKey").toString());
  }

  /**
   * Sets {@code millrace.handshake.listen}, the single address that peers know.
   *
   * @param address host:port; port 0 lets the system choose
   * @throws SettingsException if the address is malformed or the host unknown
   */
  public TransportSettings withHandshakeAddress(String address) {
    return with(handshake.withListen(address), nic);
  }

  /**
   * Sets {@code millrace.nic.address}, the local address of the workers' endpoints.
   *
   * @param address host:port; port 0 lets the system choose
   * @throws SettingsException if the address is malformed or the host unknown
   */
  public TransportSettings withAddress(String address) {
    return with(handshake, nic.withAddress(address));
  }

  /**
   * Sets {@code millrace.nic.driver}: a driver's name, or {@code auto}. The transport asks at its
   * start whether the driver works here.
   */
  public TransportSettings withDriver(String name) {
    return with(handshake, nic.withDriver(name));
  }

  private TransportSettings with(HandshakeSettings otherHandshake, NicSettings otherNic) {
    return new TransportSettings(
        otherHandshake,
        workers,
        otherNic,
        limits,
        recovery,
        crypto,
        scheduler,
        transfers,
        regions,
        streams);
  }

  /** The full path of a key. */
  static String key(String section, String name) {
    return ROOT + "." + section + "." + name;
  }

  /**
   * The application's configuration, with these overrides in front. Whatever context class loader
   * the thread has, Millrace's defaults are found.
   */
  public static Config load(String overrides) {
    try {
      return ConfigFactory.parseString(overrides)
          .withFallback(ConfigFactory.load(Loaders.ofApplication()))
          .resolve();
    } catch (ConfigException e) {
      throw new SettingsException("the configuration cannot be read: " + e.getMessage());
    }
  }

  private static void rejectUnknown(Config config) {
    if (!config.hasPath(ROOT)) {
      throw new SettingsException(
          ROOT, "is missing: the defaults of reference.conf are not loaded");
    }
    new KnownKeys(ROOT).check(config);
  }
}
