package io.millrace.testkit.internal.patch;

import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.SecureRandomParameters;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Receives calls that make generators by name. In a simulation a secure generator is as predictable
 * as everything else. Another generator has the requested algorithm and a seed of the simulation.
 * Unknown names fail as ever. Public because rewritten classes call this class; not for use in
 * sources.
 */
public final class GeneratorCalls {
  private GeneratorCalls() {}

  private static SecureRandom of(SecureRandom actual) {
    Surroundings simulated = SimulatedCalls.surroundings();
    return simulated == null ? actual : new SimulatedSecureRandom(simulated.seed());
  }

  /** For {@code new SecureRandom()}. */
  public static SecureRandom newSecureRandom() {
    Surroundings simulated = SimulatedCalls.surroundings();
    return simulated == null ? new SecureRandom() : new SimulatedSecureRandom(simulated.seed());
  }

  /** For {@code new SecureRandom(seed)}: the given seed only adds to the generator's own seed. */
  public static SecureRandom newSecureRandom(byte[] seed) {
    return SimulatedCalls.surroundings() == null ? new SecureRandom(seed) : newSecureRandom();
  }

  /** {@link SecureRandom#getInstance(String)}. */
  public static SecureRandom secure(String algorithm) throws NoSuchAlgorithmException {
    return of(SecureRandom.getInstance(algorithm));
  }

  /** {@link SecureRandom#getInstance(String, String)}. */
  public static SecureRandom secure(String algorithm, String provider)
      throws NoSuchAlgorithmException, NoSuchProviderException {
    return of(SecureRandom.getInstance(algorithm, provider));
  }

  /** {@link SecureRandom#getInstance(String, Provider)}. */
  public static SecureRandom secure(String algorithm, Provider provider)
      throws NoSuchAlgorithmException {
    return of(SecureRandom.getInstance(algorithm, provider));
  }

  /** {@link SecureRandom#getInstance(String, SecureRandomParameters)}. */
  public static SecureRandom secure(String algorithm, SecureRandomParameters parameters)
      throws NoSuchAlgorithmException {
    return of(SecureRandom.getInstance(algorithm, parameters));
  }

  /** {@link SecureRandom#getInstance(String, SecureRandomParameters, String)}. */
  public static SecureRandom secure(
      String algorithm, SecureRandomParameters parameters, String provider)
      throws NoSuchAlgorithmException, NoSuchProviderException {
    return of(SecureRandom.getInstance(algorithm, parameters, provider));
  }

  /** {@link SecureRandom#getInstance(String, SecureRandomParameters, Provider)}. */
  public static SecureRandom secure(
      String algorithm, SecureRandomParameters parameters, Provider provider)
      throws NoSuchAlgorithmException {
    return of(SecureRandom.getInstance(algorithm, parameters, provider));
  }

  /** {@link SecureRandom#getInstanceStrong}. */
  public static SecureRandom strong() throws NoSuchAlgorithmException {
    return of(SecureRandom.getInstanceStrong());
  }

  /** {@link SecureRandom#getSeed}. */
  public static byte[] seedBytes(int count) {
    return SimulatedCalls.surroundings() == null
        ? SecureRandom.getSeed(count)
        : newSecureRandom().generateSeed(count);
  }

  /** {@link RandomGenerator#getDefault}. */
  public static RandomGenerator generator() {
    return create(RandomGeneratorFactory.getDefault());
  }

  /** {@link RandomGenerator#of}. */
  public static RandomGenerator generator(String name) {
    return create(RandomGeneratorFactory.of(name));
  }

  /** {@link RandomGeneratorFactory#create()}. */
  public static RandomGenerator create(RandomGeneratorFactory<?> factory) {
    Surroundings simulated = SimulatedCalls.surroundings();
    if (simulated == null) {
      return factory.create();
    }
    if (factory.isStochastic()) {
      return new SimulatedSecureRandom(simulated.seed());
    }
    return factory.create(simulated.seed());
  }
}
