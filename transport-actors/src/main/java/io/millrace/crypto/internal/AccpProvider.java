package io.millrace.crypto.internal;

import io.millrace.provider.Loaders;
import java.security.Provider;
import java.security.Security;
import org.jspecify.annotations.Nullable;

/**
 * {@code accp}: the Amazon Corretto Crypto Provider, from its jar on the class path or from its
 * registration with the JDK.
 */
public final class AccpProvider extends JcaProvider {
  private static final int PACKET_PREFERENCE = 20;
  private static final int RECORD_PREFERENCE = 40;
  private static final String NAME = "AmazonCorrettoCryptoProvider";
  private static final String CLASS_NAME = "com.amazon.corretto.crypto.provider." + NAME;

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
    // By the name of its class: to ask the service loader is to load, and to verify, every
    // provider of the class path.
    for (ClassLoader loader : Loaders.of(Provider.class)) {
      Provider made = make(loader);
      if (made != null) {
        return made;
      }
    }
    return null;
  }

  /** The provider of this loader's class path, or null without the provider's jar. */
  private static @Nullable Provider make(ClassLoader loader) {
    try {
      return Class.forName(CLASS_NAME, true, loader)
          .asSubclass(Provider.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ClassNotFoundException e) {
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  String whyMissing() {
    return "the jar of the Amazon Corretto Crypto Provider is not on the class path";
  }
}
