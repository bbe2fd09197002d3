package io.millrace.testkit.internal.oracle;

import io.millrace.config.CryptoSettings;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.Records;
import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.KeyInUse;
import io.millrace.testkit.internal.node.KeyName;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.sim.Oracle;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * No key and nonce seal twice, whichever lives of whichever nodes hold the key. No key seals more
 * than its limit: the limit of packets and their bytes comes from the node's settings, the limit of
 * records is the same for any key. Keeps a bit for each packet and record of the run, and is exact.
 */
public final class NonceOracle implements Oracle, CipherObserver {
  private static final String NAME = "nonce used once";
  private static final long MOST_RECORDS =
      Math.min(KeyLimits.MAX_PACKETS, KeyLimits.MAX_BYTES / Records.RECORD_BYTES);

  private final Simulation simulation;
  // Looked up only, never walked.
  private final Map<KeyName, Sealed> keys = new HashMap<>();
  private long packets;
  private long retirements;
  private long records;

  /** The packets and records sealed under one key. */
  private static final class Sealed {
    private final UsedNonces nonces = new UsedNonces();
    private long bytes;
  }

  /** Watches all ciphers of a cluster before the first node boots. */
  public NonceOracle(FullCluster cluster) {
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

  /** Key retirements sealed so far, in datagrams. */
  public long retirements() {
    return retirements;
  }

  /** Records sealed so far. */
  public long records() {
    return records;
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    packets++;
    requireSettings(packet.key(), count(packet, "packet"));
  }

  /** The settings say nothing about the key of retirements, which does not rotate. */
  @Override
  public void onRetirementSealed(PlainPacket packet) {
    retirements++;
    count(packet, "retirement");
  }

  private Sealed count(PlainPacket packet, String what) {
    KeyInUse key = packet.key();
    Sealed sealed = use(key, packet.nonce(), what);
    sealed.bytes += packet.sealedBytes();
    require(key, sealed.nonces.count(), "packets", key.limits().packets());
    require(key, sealed.bytes, "bytes", key.limits().bytes());
    return sealed;
  }

  /** Checks the limits of the settings; the key may belong to any transport of this life. */
  private void requireSettings(KeyInUse key, Sealed sealed) {
    long mostPackets = 0;
    long mostBytes = 0;
    List<TransportPool> pools = key.life().pools();
    for (TransportPool pool : pools) {
      CryptoSettings crypto = pool.settings().crypto();
      mostPackets = Math.max(mostPackets, crypto.packetsPerKey());
      mostBytes = Math.max(mostBytes, crypto.bytesPerKey());
    }
    if (!pools.isEmpty()) {
      require(key, sealed.nonces.count(), "packets", mostPackets);
      require(key, sealed.bytes, "bytes", mostBytes);
    }
  }

  @Override
  public void onRecordSealed(KeyInUse key, long nonce) {
    records++;
    require(key, use(key, nonce, "record").nonces.count(), "records", MOST_RECORDS);
  }

  private void require(KeyInUse key, long sealed, String what, long most) {
    if (sealed > most) {
      simulation.fail(
          NAME, key.name() + " seals " + sealed + " " + what + ", its limit is " + most, null);
    }
  }

  private Sealed use(KeyInUse key, long nonce, String what) {
    Sealed sealed = keys.computeIfAbsent(key.name(), name -> new Sealed());
    if (!sealed.nonces.use(nonce)) {
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
    return sealed;
  }
}
