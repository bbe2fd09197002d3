package io.millrace.samples.sim;

import io.millrace.config.TransportSettings;
import io.millrace.samples.sim.DefaultScenario.Load;
import io.millrace.samples.sim.DefaultScenario.Transports;
import io.millrace.samples.sim.DefaultScenario.Trouble;
import io.millrace.samples.sim.DefaultScenario.Variant;
import io.millrace.samples.sim.families.Families;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.FaultSchedule;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.testkit.sim.Swarm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The scenarios of {@code millrace sim}, by name. */
public final class Scenarios {
  /**
   * A scenario that must fail: its application repeats calls that may have been executed already,
   * and a seed shows this fault.
   */
  public static final String CANARY = "canary";

  /**
   * The other scenario that must fail: the transport takes a packet too many for acknowledged, and
   * a seed with losses shows this fault.
   */
  public static final String CANARY_ACK = "canary-ack";

  private static final long FABRIC_BYTES_PER_SECOND = 12_500_000_000L;

  private static final TransportSettings USUAL = SimTransportSettings.parse("");

  /** Revoked memory rests for longer than the hardware repeats writes. */
  private static final TransportSettings USUAL_ON_A_FABRIC =
      SimTransportSettings.parse("millrace.regions.quarantine = 250 ms");

  private static final Map<String, Scenario> ALL = new LinkedHashMap<>();

  static {
    ALL.put(
        "default",
        new DefaultScenario(
            new Variant(
                Swarm::network,
                null,
                Swarm::transport,
                FaultSchedule::all,
                Trouble.STAYS,
                false,
                Load.ALL)));
    put("calls", Swarm::network, Swarm::transport, FaultSchedule::all);
    put("crash", Scenarios::quiet, Swarm::transport, faults -> faults.crashes().stops());
    put("loss", Scenarios::lossy, Swarm::transport, faults -> faults.links().limits().frames());
    ALL.put(
        "clean",
        new DefaultScenario(
            new Variant(
                Scenarios::quiet,
                null,
                (swarm, node) -> USUAL,
                faults -> {},
                Trouble.NONE,
                false,
                Load.ALL)));
    ALL.put(
        "clean-fabric",
        new DefaultScenario(
            new Variant(
                Scenarios::orderly,
                swarm -> FabricSettings.DEFAULT.withOvertaking(0, 0),
                (swarm, node) -> USUAL_ON_A_FABRIC,
                faults -> {},
                Trouble.NONE,
                false,
                Load.ALL)));
    ALL.put(
        "fabric",
        new DefaultScenario(
            new Variant(
                Swarm::fabricNetwork,
                Swarm::fabric,
                Swarm::fabricTransport,
                FaultSchedule::all,
                Trouble.STAYS,
                false,
                Load.ALL)));
    ALL.put(
        "families",
        Families.in(
            new DefaultScenario(
                new Variant(
                    Families::network,
                    Swarm::fabric,
                    Families::transport,
                    FaultSchedule::all,
                    Trouble.STAYS,
                    false,
                    Load.ALL)),
            DefaultScenario.SPAN_NS));
    ALL.put(
        CANARY,
        new DefaultScenario(
            new Variant(
                Scenarios::quiet,
                null,
                (swarm, node) -> USUAL,
                FaultSchedule::crashes,
                Trouble.ENDS,
                true,
                Load.CALLS)));
    ALL.put(
        CANARY_ACK,
        WrongAck.in(
            new DefaultScenario(
                new Variant(
                    Scenarios::lossy,
                    null,
                    (swarm, node) -> USUAL,
                    FaultSchedule::links,
                    Trouble.ENDS,
                    false,
                    Load.CALLS))));
  }

  /** Returns whether the scenario of this name has a bug on purpose. */
  public static boolean isCanary(String name) {
    return name.equals(CANARY) || name.equals(CANARY_ACK);
  }

  /** A scenario of calls and bodies alone. */
  private static void put(
      String name,
      Function<Swarm, NetworkSettings> network,
      Transports transport,
      Consumer<FaultSchedule> faults) {
    ALL.put(
        name,
        new DefaultScenario(
            new Variant(network, null, transport, faults, Trouble.STAYS, false, Load.CALLS)));
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

  /** A network that loses nothing. */
  static NetworkSettings quiet(Swarm swarm) {
    return NetworkSettings.clean(swarm.spread("net.delay", 5_000, 1_000_000));
  }

  /**
   * The same network at a rate. Packets that leave a fabric's NIC at the same time arrive in any
   * order, and a sender takes overtaken packets for lost.
   */
  private static NetworkSettings orderly(Swarm swarm) {
    NetworkSettings quiet = quiet(swarm);
    return quiet.withLink(
        quiet.link().withRate(RateSettings.of(FABRIC_BYTES_PER_SECOND, Integer.MAX_VALUE)));
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
