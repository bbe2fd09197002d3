package io.millrace.handshake.psk;

import io.millrace.crypto.HandshakeAvailability;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.handshake.DatagramHandshaker;
import io.millrace.handshake.SourceLimits;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/** {@code psk}: the exchange with a {@link PreSharedKey} over a UDP socket; works everywhere. */
public final class PskProvider implements HandshakeProvider {
  /** Called by the service loader. */
  public PskProvider() {}

  @Override
  public String name() {
    return "psk";
  }

  @Override
  public HandshakeAvailability probe() {
    return new HandshakeAvailability.Available();
  }

  @Override
  public Handshaker open(HandshakeSettings settings, HandshakeListener listener)
      throws HandshakeException {
    SecureRandom random = new SecureRandom();
    return DatagramHandshaker.open(
        settings.listen(),
        machine(settings, listener, random),
        listener,
        new SourceLimits(settings.limits(), random));
  }

  /**
   * The machine alone, for callers with another port.
   *
   * @param random the source of nonces; must not repeat after a restart
   * @throws HandshakeException if the credentials are no pre-shared key
   */
  public static PskHandshake machine(
      HandshakeSettings settings, HandshakeListener listener, RandomGenerator random)
      throws HandshakeException {
    if (!(settings.credentials() instanceof PreSharedKey key)) {
      throw new HandshakeException("the handshake psk needs a pre-shared key", null);
    }
    PskSettings own =
        new PskSettings(
            key,
            settings.incarnation(),
            PskSettings.PROTOCOL_VERSION,
            PskTimes.ofTimeout(settings.timeoutNs()),
            PskLimits.DEFAULT);
    return new PskHandshake(own, listener, random);
  }
}
