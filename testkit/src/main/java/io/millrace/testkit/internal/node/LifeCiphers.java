package io.millrace.testkit.internal.node;

import io.millrace.crypto.AeadAvailability;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.RecordCipher;
import io.millrace.engine.TransportPool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The ciphers of a life of a node. A dying process gives its native memory back; a crashed life
 * closes nothing, so this class frees the memory. Simulation thread only.
 */
final class LifeCiphers implements AutoCloseable {
  /** A search for native libraries takes long, so all lives share the result. */
  private static final class Found {
    private static final List<AeadProvider> ALL = AeadProviders.discover().all();
  }

  private final AeadProviders providers =
      new AeadProviders(Found.ALL.stream().map(Tracking::new).toList());
  private final NodeLife life;
  private final NodeObservers observers;
  private final LateOpenings late;
  private final OpenCiphers<PacketCipher> packets = new OpenCiphers<>();
  private final OpenCiphers<RecordCipher> records = new OpenCiphers<>();

  /**
   * Creates an object without ciphers.
   *
   * @param observers told of sealing and opening; may grow
   */
  LifeCiphers(NodeLife life, NodeObservers observers) {
    this.life = life;
    this.observers = observers;
    late = new LateOpenings(life);
  }

  AeadProviders providers() {
    return providers;
  }

  /** Returns the number of open ciphers for packets. */
  int openPacketCiphers() {
    return packets.count();
  }

  /** Returns the number of open ciphers for records. */
  int openRecordCiphers() {
    return records.count();
  }

  /** Closes all open ciphers. */
  @Override
  public void close() {
    packets.snapshot().forEach(PacketCipher::close);
    records.snapshot().forEach(RecordCipher::close);
  }

  /**
   * Finds the packets that are opened only for a look at their opening. A worker counts each such
   * packet before the call; without this count these packets look like accepted packets.
   */
  private static final class LateOpenings {
    private static final int WORKERS = 256;

    private final NodeLife life;
    private final long[] known = new long[WORKERS];

    private LateOpenings(NodeLife life) {
      this.life = life;
    }

    /** Whether this worker is opening such a packet now; asked once for each packet. */
    boolean isLate(int worker) {
      long counted = 0;
      List<TransportPool> pools = life.pools();
      for (int i = 0; i < pools.size(); i++) {
        TransportPool pool = pools.get(i);
        if (worker < pool.settings().workers().count()) {
          counted += pool.port(worker).counters().latePacketsOpened;
        }
      }
      boolean isLate = counted > known[worker];
      known[worker] = counted;
      return isLate;
    }
  }

  /** The open actual ciphers; the order does not matter. */
  private static final class OpenCiphers<C> {
    private final Set<C> open = Collections.newSetFromMap(new IdentityHashMap<>());

    C add(C cipher) {
      open.add(cipher);
      return cipher;
    }

    void remove(C cipher) {
      open.remove(cipher);
    }

    int count() {
      return open.size();
    }

    List<C> snapshot() {
      return new ArrayList<>(open);
    }
  }

  private final class Tracking implements AeadProvider {
    private final AeadProvider actual;

    private Tracking(AeadProvider actual) {
      this.actual = actual;
    }

    @Override
    public String name() {
      return actual.name();
    }

    @Override
    public int packetPreference() {
      return actual.packetPreference();
    }

    /** As for packets: native ciphers are fast from the first record on, the JDK's when warm. */
    @Override
    public int recordPreference() {
      return actual.packetPreference();
    }

    @Override
    public AeadAvailability probe() {
      return actual.probe();
    }

    @Override
    public PacketCipher cipher(AeadKey key, CipherUse use, KeyLimits limits) {
      PacketCipher cipher = packets.add(actual.cipher(key, use, limits));
      KeyName name = new KeyName(key.key(), key.nonceHead());
      KeyInUse inUse = new KeyInUse(life, use, name, key.nonceTail(), limits);
      return new WatchedPacketCipher(
          cipher, key, inUse, observers, late::isLate, () -> packets.remove(cipher));
    }

    @Override
    public RecordCipher recordCipher(byte[] key, CipherUse use) {
      RecordCipher cipher = records.add(actual.recordCipher(key, use));
      KeyInUse inUse = new KeyInUse(life, use, new KeyName(key.clone(), 0), 0, KeyLimits.DEFAULT);
      return new WatchedRecordCipher(
          cipher, inUse, observers.ciphers(), () -> records.remove(cipher));
    }
  }
}
