package io.millrace.samples.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import io.millrace.samples.certs.CertificateDirectory;
import io.millrace.samples.certs.CertificatesException;
import io.millrace.samples.process.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options by which a node and its peers authenticate each other: certificates, or a pre-shared
 * key. The certificates of a checkout are made at the first need of a command, so that {@code
 * serve} and {@code cp} of one checkout meet without more ado.
 */
final class HandshakeOptions {
  private static final String PSK = "psk";
  private static final String TLS = "tls";
  private static final List<String> PROVIDERS = List.of(TLS, "quic", PSK);
  private static final String PROVIDER_KEY = "millrace.handshake.provider";
  private static final String PSK_KEY = "millrace.handshake.psk";
  private static final String TLS_KEY = "millrace.handshake.tls.";

  @Option(
      names = "--handshake",
      paramLabel = "NAME",
      description = {
        "tls or quic, with certificates, or psk, with a pre-shared key.",
        "Default: tls, or psk if --psk-file is given."
      })
  private @Nullable String provider;

  @Option(
      names = "--certs",
      paramLabel = "DIR",
      description = {
        "The folder of ca.pem, NODE.pem and NODE-key.pem, see 'millrace certs'.",
        "Default: .millrace/certs of the checkout, made on first use."
      })
  private @Nullable Path directory;

  @Option(
      names = "--name",
      paramLabel = "NODE",
      description = "The name of this node's certificate in the folder. Default: localhost.")
  private @Nullable String name;

  @Mixin private KeySource keys = new KeySource();

  /**
   * Returns the choice that takes precedence over a configuration file: a provider named by the
   * user.
   */
  Map<String, String> chosen() {
    if (provider == null) {
      return Map.of();
    }
    if (!PROVIDERS.contains(provider)) {
      throw CommandException.badArgument(
          "--handshake must be tls, quic or psk, not '" + provider + "'");
    }
    return Map.of(PROVIDER_KEY, provider);
  }

  /**
   * Returns the settings with a provider, and with the files or key of the provider if the settings
   * lack these.
   *
   * @throws CommandException if certificates or a key are missing or cannot be used
   */
  Config with(Config settings, Screen screen) {
    return with(settings, screen, keys::hex);
  }

  /** Returns the same settings with another key if psk is wanted without a given key. */
  Config with(Config settings, Screen screen, Supplier<String> key) {
    // Mistakes in the settings are reported before anything is made.
    var _ = NodeOptions.settings(settings);
    String used = provider(settings);
    Config named = settings.withValue(PROVIDER_KEY, ConfigValueFactory.fromAnyRef(used));
    if (!used.equals(PSK)) {
      return withCertificates(named, screen);
    }
    if (keys.isGiven()) {
      return named.withValue(PSK_KEY, ConfigValueFactory.fromAnyRef(keys.hex()));
    }
    return named.hasPath(PSK_KEY)
        ? named
        : named.withValue(PSK_KEY, ConfigValueFactory.fromAnyRef(key.get()));
  }

  /** A given key implies psk: the user need not name psk, too. */
  private String provider(Config settings) {
    if (provider == null && keys.isFileGiven()) {
      return PSK;
    }
    if (settings.hasPath(PROVIDER_KEY)) {
      return settings.getString(PROVIDER_KEY);
    }
    return keys.isGiven() || settings.hasPath(PSK_KEY) ? PSK : TLS;
  }

  private Config withCertificates(Config settings, Screen screen) {
    boolean isGiven = directory != null || name != null;
    if (!isGiven && settings.hasPath(TLS_KEY + "certificate")) {
      return settings;
    }
    CertificateDirectory certificates =
        new CertificateDirectory(directory != null ? directory : Checkout.certificates());
    String node = name != null ? name : CertificateDirectory.USUAL_NODE;
    try {
      if (!isGiven && certificates.makeMissing()) {
        screen.err().println("made certificates for nodes of this machine: " + certificates.path());
      }
      certificates.requireNode(node);
    } catch (CertificatesException e) {
      throw CommandException.badArgument(Sentence.of(e));
    } catch (IOException e) {
      throw CommandException.failed(
          "no certificates in '" + certificates.path() + "' (" + Sentence.of(e) + ")");
    }
    Config found = with(settings, "authorities", certificates.authority());
    found = with(found, "certificate", certificates.certificate(node));
    found = with(found, "key", certificates.key(node));
    return Files.exists(certificates.revocations())
        ? with(found, "revocations", certificates.revocations())
        : found;
  }

  private static Config with(Config settings, String name, Path file) {
    return settings.withValue(
        TLS_KEY + name, ConfigValueFactory.fromAnyRef(file.toAbsolutePath().toString()));
  }
}
