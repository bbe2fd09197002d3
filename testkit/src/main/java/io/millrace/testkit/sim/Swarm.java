package io.millrace.testkit.sim;

import io.millrace.config.TransportSettings;
import java.util.List;

/**
 * The choices of one seed for everything that may vary. Each choice is drawn by its name and by
 * nothing else, so that a new choice changes no other. Simulation thread only.
 */
public abstract class Swarm {
  private static final int PPM = 1_000_000;

  /** The simulator makes a swarm for each run. */
  protected Swarm() {}

  /** A number from {@code low} to {@code high}, both included. */
  public final long between(String name, long low, long high) {
    return draws(name).between(0, 0, low, high);
  }

  /** A number from {@code low} to {@code high}, both included. */
  public final int between(String name, int low, int high) {
    return (int) between(name, (long) low, high);
  }

  /** A number from {@code low} to {@code high}; each order of magnitude is equally likely. */
  public final long spread(String name, long low, long high) {
    double share = draws(name).unit(0, 0);
    return Math.clamp(Math.round(low * StrictMath.pow((double) high / low, share)), low, high);
  }

  /** Picks one of these values. */
  @SafeVarargs
  public final <T> T pick(String name, T... values) {
    return values[(int) draws(name).below(0, 0, values.length)];
  }

  /** Picks one of these values. */
  public final <T> T pick(String name, List<T> values) {
    return values.get((int) draws(name).below(0, 0, values.size()));
  }

  /** Whether this seed has a feature that half of all seeds have. */
  public final boolean has(String name) {
    return has(name, PPM / 2);
  }

  /** Whether this seed has a feature that {@code ppm} seeds of a million have. */
  public abstract boolean has(String name, int ppm);

  /**
   * Chooses a setting of this seed, which goes back to the usual value when a run is made smaller.
   *
   * @param drawn the value of this seed
   */
  public abstract <T> T vary(String name, T usual, T drawn);

  /** Random decisions of the scenario's own. */
  public abstract Draws draws(String name);

  /** Settings of the transports of this seed, in every constant of the protocol. */
  public abstract TransportSettings transport();

  /**
   * Settings of the transports of one node, in every constant of the protocol. In half of the seeds
   * each node has settings of its own, else every node has {@link #transport()}.
   */
  public abstract TransportSettings transport(int node);

  /** The network of this seed. */
  public abstract NetworkSettings network();

  /** The fabric of this seed; with {@link #fabricNetwork()} and {@link #fabricTransport()}. */
  public abstract FabricSettings fabric();

  /** The network of this seed below a fabric. */
  public abstract NetworkSettings fabricNetwork();

  /** Settings of the transports of this seed on a fabric: regions rest for long enough. */
  public abstract TransportSettings fabricTransport();

  /**
   * Settings of the transports of one node on a fabric; in half of the seeds each node has settings
   * of its own.
   */
  public abstract TransportSettings fabricTransport(int node);

  /** The behaviour of a node of this seed. */
  public abstract NodeSettings node(int number);
}
