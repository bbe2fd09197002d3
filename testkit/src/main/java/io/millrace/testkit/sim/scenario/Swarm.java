package io.millrace.testkit.sim.scenario;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.sim.core.Draws;
import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.fabric.FabricSettings;
import io.millrace.testkit.sim.net.NetworkSettings;
import io.millrace.testkit.sim.node.NodeSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * What one seed has of everything that may vary. Each choice is drawn by its name and by nothing
 * else, so that a new choice changes no other. Simulation thread only.
 */
public final class Swarm {
  private static final int PPM = 1_000_000;
  private final Simulation simulation;
  private final Draws switches;
  private final Keep keep;
  private final String prefix;
  private final List<VariedSetting> varied;

  Swarm(Simulation simulation, Keep keep) {
    this(simulation, keep, "", new ArrayList<>());
  }

  private Swarm(Simulation simulation, Keep keep, String prefix, List<VariedSetting> varied) {
    this.simulation = simulation;
    this.keep = keep;
    this.prefix = prefix;
    this.varied = varied;
    switches = simulation.draws("swarm.switch");
  }

  /** What a node has of its own: all choices under other names, in half of the seeds. */
  private Swarm of(int node) {
    return vary("nodes.differ", false, has("nodes.differ"))
        ? new Swarm(simulation, keep, "n" + node + ".", varied)
        : this;
  }

  /** A number from {@code low} to {@code high}, both included. */
  public long between(String name, long low, long high) {
    return draws(name).between(0, 0, low, high);
  }

  /** A number from {@code low} to {@code high}, both included. */
  public int between(String name, int low, int high) {
    return (int) between(name, (long) low, high);
  }

  /** A number from {@code low} to {@code high}; each order of magnitude is as likely. */
  public long spread(String name, long low, long high) {
    double share = draws(name).unit(0, 0);
    return Math.clamp(Math.round(low * StrictMath.pow((double) high / low, share)), low, high);
  }

  /** One of these. */
  @SafeVarargs
  public final <T> T pick(String name, T... values) {
    return values[(int) draws(name).below(0, 0, values.length)];
  }

  /** One of these. */
  public <T> T pick(String name, List<T> values) {
    return values.get((int) draws(name).below(0, 0, values.size()));
  }

  /** Whether this seed has something that so many seeds of a million have. */
  public boolean has(String name, int ppm) {
    return switches.chance(Draws.domain(prefix + name), 0, ppm);
  }

  /** Whether this seed has something that half of all seeds have. */
  public boolean has(String name) {
    return has(name, PPM / 2);
  }

  /**
   * A setting of this seed, which goes back to what is usual when a run is made smaller.
   *
   * @param drawn what the seed has
   */
  public <T> T vary(String name, T usual, T drawn) {
    if (!keep.allowsSetting(prefix + name) || drawn.equals(usual)) {
      return usual;
    }
    VariedSetting setting = new VariedSetting(prefix + name, drawn.toString());
    if (!varied.contains(setting)) {
      varied.add(setting);
    }
    return drawn;
  }

  /** What is not as usual; a copy. */
  List<VariedSetting> varied() {
    return List.copyOf(varied);
  }

  /** Random decisions of the scenario's own. */
  public Draws draws(String name) {
    return simulation.draws("swarm." + prefix + name);
  }

  /** Settings of the transports of this seed, in every constant of the protocol. */
  public TransportSettings transport() {
    return new SwarmTransport(this).settings();
  }

  /**
   * Settings of the transports of one node, in every constant of the protocol: in half of the seeds
   * each node has others, else they are {@link #transport()}.
   */
  public TransportSettings transport(int node) {
    return of(node).transport();
  }

  /** The network of this seed. */
  public NetworkSettings network() {
    return new SwarmNetwork(this).settings();
  }

  /** The fabric of this seed; with {@link #fabricNetwork()} and {@link #fabricTransport()}. */
  public FabricSettings fabric() {
    return new SwarmFabric(this).settings();
  }

  /** The network of this seed below a fabric. */
  public NetworkSettings fabricNetwork() {
    return new SwarmFabric(this).network();
  }

  /** Settings of the transports of this seed on a fabric: regions rest for long enough. */
  public TransportSettings fabricTransport() {
    return new SwarmFabric(this).transport(this);
  }

  /** The same of one node, which has its own in half of the seeds. */
  public TransportSettings fabricTransport(int node) {
    return new SwarmFabric(this).transport(of(node));
  }

  /** How a node of this seed behaves. */
  public NodeSettings node(int number) {
    Draws draws = draws("node");
    long maxStepNs = spread("node.step", 200, 20_000);
    return new NodeSettings(
        draws.below(number, 0, 1_000_000_000_000L),
        has("node.drift") ? draws.between(number, 1, -200, 200) : 0,
        NodeSettings.DEFAULT.leastStepNs(),
        maxStepNs,
        has("node.order"),
        pick("node.throughput", 1, 5),
        has("node.fuzzing"));
  }
}
