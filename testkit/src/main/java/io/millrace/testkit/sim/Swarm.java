package io.millrace.testkit.sim;

import io.millrace.config.TransportSettings;
import java.util.List;

/**
 * What one seed has of everything that may vary. Each choice is drawn by its name and by nothing
 * else, so that a new choice changes no other. Simulation thread only.
 */
public abstract class Swarm {
  private static final int PPM = 1_000_000;

  /** The simulator makes one for each run. */
  protected Swarm() {}

  /** A number from {@code low} to {@code high}, both included. */
  public final long between(String name, long low, long high) {
    return draws(name).between(0, 0, low, high);
  }

  /** A number from {@code low} to {@code high}, both included. */
  public final int between(String name, int low, int high) {
    return (int) between(name, (long) low, high);
  }

  /** A number from {@code low} to {@code high}; each order of magnitude is as likely. */
  public final long spread(String name, long low, long high) {
    double share = draws(name).unit(0, 0);
    return Math.clamp(Math.round(low * StrictMath.pow((double) high / low, share)), low, high);
  }

  /** One of these. */
  @SafeVarargs
  public final <T> T pick(String name, T... values) {
    return values[(int) draws(name).below(0, 0, values.length)];
  }

  /** One of these. */
  public final <T> T pick(String name, List<T> values) {
    return values.get((int) draws(name).below(0, 0, values.size()));
  }

  /** Whether this seed has something that half of all seeds have. */
  public final boolean has(String name) {
    return has(name, PPM / 2);
  }

  /** Whether this seed has something that so many seeds of a million have. */
  public abstract boolean has(String name, int ppm);

  /**
   * A setting of this seed, which goes back to what is usual when a run is made smaller.
   *
   * @param drawn what the seed has
   */
  public abstract <T> T vary(String name, T usual, T drawn);

  /** Random decisions of the scenario's own. */
  public abstract Draws draws(String name);

  /** Settings of the transports of this seed, in every constant of the protocol. */
  public abstract TransportSettings transport();

  /**
   * Settings of the transports of one node, in every constant of the protocol: in half of the seeds
   * each node has others, else they are {@link #transport()}.
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

  /** The same of one node, which has its own in half of the seeds. */
  public abstract TransportSettings fabricTransport(int node);

  /** How a node of this seed behaves. */
  public abstract NodeSettings node(int number);
}
