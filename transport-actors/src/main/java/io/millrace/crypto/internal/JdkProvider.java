package io.millrace.crypto.internal;

import java.security.Provider;
import java.security.Security;
import org.jspecify.annotations.Nullable;

/** {@code jdk}: the cipher of the JDK; always present, with garbage for the collector. */
public final class JdkProvider extends JcaProvider {
  private static final int PACKET_PREFERENCE = 10;
  private static final int RECORD_PREFERENCE = 30;
  private static final int NARROW_PREFERENCE = 15;

  /** Called by the service loader. */
  public JdkProvider() {}

  @Override
  public String name() {
    return "jdk";
  }

  @Override
  public int packetPreference() {
    return PACKET_PREFERENCE;
  }

  @Override
  public int recordPreference() {
    return recordPreference(WideVectors.areMissing());
  }

  /** Ahead of the native libraries, or behind them where the JVM has no wide vectors to use. */
  static int recordPreference(boolean isNarrow) {
    return isNarrow ? NARROW_PREFERENCE : RECORD_PREFERENCE;
  }

  @Override
  @Nullable Provider find() {
    return Security.getProvider("SunJCE");
  }

  @Override
  String whyMissing() {
    return "this Java has no SunJCE";
  }
}
