package io.millrace.testkit.internal.patch;

import java.io.Serial;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.util.Random;

/** A predictable generator under the type of an unpredictable one; made in simulations only. */
final class SimulatedSecureRandom extends SecureRandom {
  @Serial private static final long serialVersionUID = 1;

  SimulatedSecureRandom(long seed) {
    super(new Seeded(seed), null);
  }

  @Override
  public String getAlgorithm() {
    return "simulated";
  }

  private static final class Seeded extends SecureRandomSpi {
    @Serial private static final long serialVersionUID = 1;

    private final Random random;

    Seeded(long seed) {
      random = new Random(seed);
    }

    @Override
    protected void engineSetSeed(byte[] seed) {
      // a seed only ever adds to the generator's state: the same numbers remain right
    }

    @Override
    protected void engineNextBytes(byte[] bytes) {
      random.nextBytes(bytes);
    }

    @Override
    protected byte[] engineGenerateSeed(int count) {
      byte[] bytes = new byte[count];
      random.nextBytes(bytes);
      return bytes;
    }
  }
}
