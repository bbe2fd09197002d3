package io.millrace.testkit.internal.node;

import io.millrace.buffer.DropWatch;
import io.millrace.config.WorkerSettings.WatchSettings;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.driver.DriverProvider;
import io.millrace.engine.NodeEnvironment;
import io.millrace.engine.TransportPool;
import io.millrace.event.TransportEvents;
import io.millrace.loop.Machine;
import io.millrace.loop.WatchedLoop;
import io.millrace.loop.watch.Watch;
import io.millrace.node.AddressNetwork;
import io.millrace.node.HangAction;
import io.millrace.protocol.schedule.TimingWheels;
import io.millrace.testkit.internal.core.Occupant;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.VirtualTime;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;

/**
 * The running parts of a life of a node: an actor system of its own, the loops of its dispatchers,
 * and its endpoints and ciphers; and the world around its transports. After the end of the life no
 * part runs any more, and later calls have no effect. Simulation thread only.
 */
final class NodeProcess implements NodeEnvironment {
  private static final String DEFAULT_DISPATCHER = "pekko.actor.default-dispatcher";

  private final NodeLife life;
  private final NodeObservers observers;
  private final LifeLoops loops;
  private final LifeCiphers ciphers;
  private final LifeNetwork network;

  /** How often each use has asked for random numbers; looked up only, never walked. */
  private final Map<String, Integer> uses = new HashMap<>();

  private @Nullable ActorSystem<?> system;
  private int nodes;
  private int executors;

  NodeProcess(
      Simulation simulation,
      SimNode node,
      NodeSettings settings,
      NodeClock clock,
      NodeObservers observers,
      BiFunction<NodeLife, VirtualTime, LifeNetwork> networks) {
    this.observers = observers;
    life = new NodeLife(simulation, node, settings, clock, observers, this::defaultExecutor);
    loops = new LifeLoops(life);
    ciphers = new LifeCiphers(life, observers);
    network = networks.apply(life, loops.time());
  }

  private Executor defaultExecutor() {
    return loops.pool(DEFAULT_DISPATCHER)::execute;
  }

  /** Starts the actor system. */
  void boot(Behavior<?> guardian) {
    system =
        loops.boot(
            () ->
                ActorSystem.create(
                    guardian,
                    life.node().name(),
                    ActorSystemSetup.create(
                        BootstrapSetup.create(
                            Optional.of(NodeConfig.loader()),
                            Optional.of(NodeConfig.of(life.settings())),
                            Optional.empty()))));
  }

  /** Ends everything at once; no observer inside the node is told. */
  void end() {
    life.end();
    loops.clear();
    network.onEnd();
    ciphers.close();
    observers.onLifeEnded(life);
  }

  NodeLife life() {
    return life;
  }

  /** The occupant while code of the node runs outside of all loops. */
  Occupant occupant() {
    return loops;
  }

  LifeCiphers openCiphers() {
    return ciphers;
  }

  @Override
  public int nextNodeNumber() {
    return nodes++;
  }

  /** A life may start several transports: each transport draws numbers of its own. */
  @Override
  public RandomGenerator newRandom(String use) {
    int asked = uses.merge(use, 1, Integer::sum);
    return life.newRandom(asked == 1 ? use : use + "." + asked);
  }

  @Override
  public AeadProviders ciphers() {
    return ciphers.providers();
  }

  @Override
  public HandshakeProvider handshakes(String name) {
    return network.handshakes();
  }

  @Override
  public ActorSystem<?> system() {
    ActorSystem<?> running = system;
    if (running == null) {
      throw new IllegalStateException(life.node().name() + " is still booting");
    }
    return running;
  }

  /** Each simulated node is a host of its own. */
  @Override
  public long host() {
    return 1L + life.node().number();
  }

  @Override
  public AddressNetwork networkOf(InetAddress local) {
    return AddressNetwork.UNKNOWN;
  }

  @Override
  public DriverProvider driver() {
    return network.driver();
  }

  @Override
  public TimingWheels wheels() {
    return (tickNs, slots, startNs) -> new WatchedWheel(life, observers, tickNs, slots, startNs);
  }

  @Override
  public long nowNs() {
    return life.clock().nowNs();
  }

  @Override
  public boolean tellsEventsAtOnce() {
    return true;
  }

  /** As the message of a broken rule begins. */
  @Override
  public String logMark() {
    Simulation simulation = life.simulation();
    return "seed %d, %d ns, %s: "
        .formatted(simulation.seed(), simulation.nowNs(), life.node().name());
  }

  @Override
  public ExecutorService newExecutor(int threads) {
    return service("application-" + executors++);
  }

  /** Nothing waits in a simulated node. */
  @Override
  public ExecutorService newGrowingExecutor(String use, int threads) {
    return service(use + "-" + executors++);
  }

  @Override
  public ExecutorService newDeviceExecutor(int threads) {
    return service("devices-" + executors++);
  }

  private ExecutorService service(String pool) {
    return new PoolService(loops, loops.pool(pool));
  }

  /** No seed decides when the collector runs. */
  @Override
  public DropWatch drops() {
    return DropWatch.NONE;
  }

  @Override
  public Machine machine() {
    return Machine.unknown();
  }

  @Override
  public List<String> jvmFlags() {
    return List.of();
  }

  /** Virtual time stands still while a node's code runs. */
  @Override
  public Watch watch(
      Supplier<List<WatchedLoop>> loops,
      WatchSettings settings,
      TransportEvents events,
      HangAction action) {
    return Watch.NONE;
  }

  @Override
  public void onStarted(TransportPool pool) {
    life.onPoolStarted(pool);
  }

  @Override
  public Executor lastResort() {
    return loops.pool("last-resort")::execute;
  }

  @Override
  public <T> T await(Future<T> future, long timeoutNs)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (loops.runUntil(future::isDone, timeoutNs) && !life.isOver()) {
      return future.get();
    }
    if (life.isOver()) {
      throw new IllegalStateException("this life of the node ended while its code waited");
    }
    throw new TimeoutException("after " + timeoutNs + " ns of virtual time");
  }
}
