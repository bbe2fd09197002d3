package io.millrace.testkit.sim.oracle;

import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.node.CipherObserver;
import io.millrace.testkit.sim.node.KeyInUse;
import io.millrace.testkit.sim.node.KeyName;
import io.millrace.testkit.sim.node.PlainPacket;
import io.millrace.testkit.sim.node.SimCluster;
import java.util.HashMap;
import java.util.Map;

/**
 * No key and nonce seal twice, whichever lives of whichever nodes have the key, and no key seals
 * more packets than it may. Keeps a bit for each packet and record of the run, and is exact.
 */
public final class NonceOracle implements Oracle, CipherObserver {
  private static final String NAME = "nonce used once";

  private final Simulation simulation;
  // Looked up only, never walked.
  private final Map<KeyName, UsedNonces> used = new HashMap<>();
  private long packets;
  private long records;

  /** Watches all ciphers of a cluster whose nodes have not booted yet. */
  public NonceOracle(SimCluster cluster) {
    simulation = cluster.simulation();
    cluster.observeCiphers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Packets sealed so far. */
  public long packets() {
    return packets;
  }

  /** Records sealed so far. */
  public long records() {
    return records;
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    packets++;
    KeyInUse key = packet.key();
    long count = use(key, packet.nonce(), "packet");
    if (count > key.limits().packets()) {
      simulation.fail(
          NAME, key.name() + " seals " + count + " packets, its limit is " + key.limits(), null);
    }
  }

  @Override
  public void onRecordSealed(KeyInUse key, long nonce) {
    records++;
    use(key, nonce, "record");
  }

  private long use(KeyInUse key, long nonce, String what) {
    UsedNonces nonces = used.computeIfAbsent(key.name(), name -> new UsedNonces());
    if (!nonces.use(nonce)) {
      simulation.fail(
          NAME,
          Lives.text(key.life())
              + " seals a "
              + what
              + " under "
              + key.name()
              + " and the nonce "
              + Long.toHexString(nonce)
              + ", which were used before",
          null);
    }
    return nonces.count();
  }
}
