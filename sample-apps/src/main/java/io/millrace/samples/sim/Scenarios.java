package io.millrace.samples.sim;

import io.millrace.testkit.sim.net.LinkSettings;
import io.millrace.testkit.sim.net.LossSettings;
import io.millrace.testkit.sim.net.NetworkSettings;
import io.millrace.testkit.sim.node.SimTransportSettings;
import io.millrace.testkit.sim.scenario.FaultSchedule;
import io.millrace.testkit.sim.scenario.Scenario;
import io.millrace.testkit.sim.scenario.Swarm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The scenarios of {@code millrace sim}, by name. */
public final class Scenarios {
  private static final Map<String, Scenario> ALL = new LinkedHashMap<>();

  static {
    ALL.put("default", new DefaultScenario(Swarm::network, Swarm::transport, FaultSchedule::all));
    ALL.put(
        "crash", new DefaultScenario(Scenarios::quiet, Swarm::transport, FaultSchedule::crashes));
    ALL.put("loss", new DefaultScenario(Scenarios::lossy, Swarm::transport, FaultSchedule::links));
    ALL.put(
        "clean",
        new DefaultScenario(
            Scenarios::quiet, swarm -> SimTransportSettings.parse(""), faults -> {}));
  }

  private Scenarios() {}

  /** The scenario of this name, or null. */
  public static @Nullable Scenario of(String name) {
    return ALL.get(name);
  }

  /** All names. */
  public static List<String> names() {
    return new ArrayList<>(ALL.keySet());
  }

  private static NetworkSettings quiet(Swarm swarm) {
    return NetworkSettings.clean(swarm.spread("net.delay", 5_000, 1_000_000));
  }

  private static NetworkSettings lossy(Swarm swarm) {
    NetworkSettings clean = quiet(swarm);
    LinkSettings link =
        clean
            .link()
            .withLoss(LossSettings.random((int) swarm.spread("net.loss.ppm", 1_000, 200_000)));
    return clean.withLink(link);
  }
}
