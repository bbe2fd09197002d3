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
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorSystem;

/** The world around the transports of one life of a simulated node. */
final class SimEnvironment implements NodeEnvironment {
  private final NodeLife life;

  /** How often each use has asked for random numbers; looked up only, never walked. */
  private final Map<String, Integer> uses = new HashMap<>();

  private int nodes;
  private int executors;

  SimEnvironment(NodeLife life) {
    this.life = life;
  }

  @Override
  public int nextNodeNumber() {
    return nodes++;
  }

  /** A life may start several transports: none draws what another one did. */
  @Override
  public RandomGenerator newRandom(String use) {
    int asked = uses.merge(use, 1, Integer::sum);
    return life.newRandom(asked == 1 ? use : use + "." + asked);
  }

  @Override
  public AeadProviders ciphers() {
    return life.ciphers().providers();
  }

  @Override
  public HandshakeProvider handshakes(String name) {
    return life.network().handshakes();
  }

  @Override
  public ActorSystem<?> system() {
    return life.system();
  }

  @Override
  public AddressNetwork networkOf(InetAddress local) {
    return AddressNetwork.UNKNOWN;
  }

  @Override
  public DriverProvider driver() {
    return life.network().driver();
  }

  @Override
  public TimingWheels wheels() {
    NodeObservers observers = life.node().observers();
    return (tickNs, slots, startNs) -> new WatchedWheel(life, observers, tickNs, slots, startNs);
  }

  @Override
  public long nowNs() {
    return life.node().clock().nowNs();
  }

  @Override
  public boolean tellsEventsAtOnce() {
    return true;
  }

  @Override
  public ExecutorService newExecutor(int threads) {
    return new PoolService(life.pool("application-" + executors++));
  }

  /** Nothing waits in a simulated node. */
  @Override
  public ExecutorService newGrowingExecutor(String use, int threads) {
    return new PoolService(life.pool(use + "-" + executors++));
  }

  @Override
  public ExecutorService newDeviceExecutor(int threads) {
    return new PoolService(life.pool("devices-" + executors++));
  }

  /** When the collector runs no seed says. */
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
    return life.pool("last-resort")::execute;
  }

  @Override
  public <T> T await(Future<T> future, long timeoutNs)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (life.runUntil(future::isDone, timeoutNs) && !life.isOver()) {
      return future.get();
    }
    if (life.isOver()) {
      throw new IllegalStateException("this life of the node ended while its code waited");
    }
    throw new TimeoutException("after " + timeoutNs + " ns of virtual time");
  }
}
