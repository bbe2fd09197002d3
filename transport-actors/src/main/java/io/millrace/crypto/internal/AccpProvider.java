package io.millrace.crypto.internal;

import io.millrace.provider.Loaders;
import java.security.Provider;
import java.security.Security;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * {@code accp}: the Amazon Corretto Crypto Provider, when its jar is on the class path or it is
 * registered with the JDK.
 */
public final class AccpProvider extends JcaProvider {
  private static final int PACKET_PREFERENCE = 20;
  private static final int RECORD_PREFERENCE = 40;
  private static final String NAME = "AmazonCorrettoCryptoProvider";

  /** Called by the service loader. */
  public AccpProvider() {}

  @Override
  public String name() {
    return "accp";
  }

  @Override
  public int packetPreference() {
    return PACKET_PREFERENCE;
  }

  @Override
  public int recordPreference() {
    return RECORD_PREFERENCE;
  }

  @Override
  @Nullable Provider find() {
    Provider registered = Security.getProvider(NAME);
    if (registered != null) {
      return registered;
    }
    // By type, before it is made: making the other providers on the class path is not ours to do.
    return Loaders.of(Provider.class).stream()
        .flatMap(loader -> ServiceLoader.load(Provider.class, loader).stream())
        .filter(candidate -> candidate.type().getSimpleName().equals(NAME))
        .findFirst()
        .map(ServiceLoader.Provider::get)
        .orElse(null);
  }

  @Override
  String whyMissing() {
    return "the jar of the Amazon Corretto Crypto Provider is not on the class path";
  }
}
