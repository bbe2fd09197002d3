package io.millrace.testkit.internal.scenario;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.drawn.Drawn;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.Swarm;
import java.util.ArrayList;
import java.util.List;

/** The choices of one seed for everything that may vary, and the list of unusual choices. */
public final class FullSwarm extends Swarm {
  private final Simulation simulation;
  private final Draws switches;
  private final Keep keep;
  private final Drawn drawn;
  private final String prefix;
  private final List<VariedSetting> varied;

  FullSwarm(Simulation simulation, Keep keep, Drawn drawn) {
    this(simulation, keep, drawn, "", new ArrayList<>());
  }

  private FullSwarm(
      Simulation simulation, Keep keep, Drawn drawn, String prefix, List<VariedSetting> varied) {
    this.simulation = simulation;
    this.keep = keep;
    this.drawn = drawn;
    this.prefix = prefix;
    this.varied = varied;
    switches = simulation.draws("swarm.switch");
  }

  /** Returns the swarm of a node: all choices under other names, in half of the seeds. */
  private FullSwarm of(int node) {
    return vary("nodes.differ", false, has("nodes.differ"))
        ? new FullSwarm(simulation, keep, drawn, "n" + node + ".", varied)
        : this;
  }

  @Override
  public boolean has(String name, int ppm) {
    return switches.chance(Draws.domain(prefix + name), 0, ppm);
  }

  @Override
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

  /** Returns the unusual settings; a copy. */
  List<VariedSetting> varied() {
    return List.copyOf(varied);
  }

  @Override
  public Draws draws(String name) {
    return simulation.draws("swarm." + prefix + name);
  }

  @Override
  public TransportSettings transport() {
    return drawn.settings("", new SwarmTransport(this).settings());
  }

  @Override
  public TransportSettings transport(int node) {
    return of(node).transport();
  }

  @Override
  public NetworkSettings network() {
    return drawn.settings("network.", new SwarmNetwork(this).settings());
  }

  @Override
  public FabricSettings fabric() {
    return drawn.settings("fabric.", new SwarmFabric(this).settings());
  }

  @Override
  public NetworkSettings fabricNetwork() {
    return drawn.settings("network.", new SwarmFabric(this).network());
  }

  @Override
  public TransportSettings fabricTransport() {
    return drawn.settings("", new SwarmFabric(this).transport(this));
  }

  @Override
  public TransportSettings fabricTransport(int node) {
    return drawn.settings("", new SwarmFabric(this).transport(of(node)));
  }

  @Override
  public NodeSettings node(int number) {
    Draws draws = draws("node");
    long maxStepNs = spread("node.step", 200, 20_000);
    NodeSettings settings =
        new NodeSettings(
            draws.below(number, 0, 1_000_000_000_000L),
            has("node.drift") ? draws.between(number, 1, -200, 200) : 0,
            NodeSettings.DEFAULT.leastStepNs(),
            maxStepNs,
            has("node.order"),
            pick("node.throughput", 1, 5),
            has("node.fuzzing"));
    return drawn.settings("node.", settings);
  }
}
