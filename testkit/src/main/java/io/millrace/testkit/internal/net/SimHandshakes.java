package io.millrace.testkit.internal.net;

import io.millrace.crypto.HandshakeAvailability;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.handshake.SourceLimits;
import io.millrace.handshake.psk.PskProvider;
import io.millrace.testkit.sim.VirtualTime;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The handshake with a pre-shared key for a life of a simulated node: the machine and the loop of
 * production over the simulated network. Thread of the simulation.
 */
public final class SimHandshakes implements HandshakeProvider {
  private final SimNetwork network;
  private final int node;
  private final VirtualTime time;
  private final RandomGenerator random;

  /**
   * Creates the handshakes of a node.
   *
   * @param time of the node: the reading of its clock, and events that end with this life
   * @param random source of nonces: another source in each life, or nonces repeat
   */
  public SimHandshakes(SimNetwork network, int node, VirtualTime time, RandomGenerator random) {
    this.network = network;
    this.node = node;
    this.time = time;
    this.random = random;
  }

  @Override
  public String name() {
    return "psk";
  }

  @Override
  public HandshakeAvailability probe() {
    return new HandshakeAvailability.Available();
  }

  @Override
  public Handshaker open(HandshakeSettings settings, HandshakeListener listener)
      throws HandshakeException {
    return SimHandshaker.open(
        network,
        node,
        time,
        settings.listen(),
        PskProvider.machine(settings, listener, random),
        listener,
        new SourceLimits(settings.limits(), new SplittableRandom(node)));
  }
}
