package io.millrace.samples.sim;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import io.millrace.memory.SegmentBuffer;
import io.millrace.samples.sim.PacketFrames.Token;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricObserver;
import io.millrace.testkit.internal.fabric.SimFabricDriver;
import io.millrace.testkit.internal.fabric.WriteView;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.PacketTamper;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.wire.codec.RegionGrantDecoder;
import io.millrace.wire.codec.WriteNotifyDecoder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint of its own on the node of an honest transport. The attacker uses the transport's
 * tokens, and changes its notifications to announce the attacker's writes. The attacker also knows
 * the victim's grants to another peer, which is more than an attacker could know.
 */
final class OneSidedAttacker implements PacketTamper, FabricObserver, CompletionHandler {
  private static final int GROUP_HEADER = 2;
  private static final int BYTES = 512;
  private static final int LONGEST_FILL = 1 << 20;
  private static final int MOST_NOTICES = 12;
  private static final int REPEATS = 40;
  private static final long REPEAT_NS = 3_000;
  private static final byte GARBAGE = (byte) 0xA5;
  private static final int POLLED = 64;

  private final Simulation simulation;
  private final FullCluster cluster;
  private final OneSidedAttack attack;
  private final int attacker;
  private final int honest;
  private final Map<Long, Token> granted = new HashMap<>();
  private final RemoteWrite write = new RemoteWrite();
  private @Nullable Token revoked;
  private @Nullable Token stolen;
  private @Nullable Endpoint endpoint;
  private @Nullable MemoryRegion garbage;
  private int victim;
  private int notices;
  private long posted;
  private long ended;
  private long refused;
  private long landed;

  OneSidedAttacker(FullCluster cluster, OneSidedAttack attack, int attacker, int honest) {
    this.cluster = cluster;
    this.attack = attack;
    this.attacker = attacker;
    this.honest = honest;
    simulation = cluster.simulation();
  }

  /** Opens its endpoint and attacks from now on. */
  void begin(EndpointAddress address) throws DriverException {
    Endpoint own =
        new SimFabricDriver(cluster.fabric(), attacker, () -> () -> {})
            .open(EndpointSettings.defaults(new SimAddress(attacker, 0, 0).inet()));
    victim = own.resolve(address);
    MemorySegment memory = Arena.ofAuto().allocate(1 << 20);
    memory.fill(GARBAGE);
    garbage = Objects.requireNonNull(own.remoteMemory()).register(memory, false);
    endpoint = own;
  }

  /** Ends its writes and closes its endpoint. */
  void end() {
    Endpoint own = endpoint;
    if (own != null) {
      own.poll(this, POLLED);
      own.close();
      endpoint = null;
    }
  }

  /** Returns the number of posted writes. */
  long posted() {
    return posted;
  }

  /** Returns the number of writes with a reported end. */
  long ended() {
    return ended;
  }

  /** Returns the number of writes refused by the victim's adapter. */
  long refused() {
    return refused;
  }

  /** Returns the number of write pieces that landed in the victim's memory. */
  long landed() {
    return landed;
  }

  /** Returns whether the attacker knows all that the attack needs. */
  boolean isReady() {
    return revoked != null;
  }

  @Override
  public boolean isLiar(int node) {
    return node == attacker;
  }

  @Override
  public void onOpened(PlainPacket packet, MutableDirectBuffer bytes) {
    int node = packet.key().life().node().number();
    PacketFrames.visit(
        packet,
        bytes,
        (template, block, length) -> {
          if (template == RegionGrantDecoder.TEMPLATE_ID) {
            PacketFrames.granted(bytes, block, token -> onGranted(node, token));
          }
        });
  }

  private void onGranted(int node, Token token) {
    granted.put(token.key(), token);
    if (node == attacker && endpoint == null) {
      // The region lies idle until the attack begins, and is taken back.
      revoked = token;
    }
  }

  @Override
  public void onSealing(PlainPacket packet, MutableDirectBuffer bytes) {
    if (endpoint == null) {
      return;
    }
    int node = packet.key().life().node().number();
    PacketFrames.visit(
        packet,
        bytes,
        (template, block, length) -> {
          if (template != WriteNotifyDecoder.TEMPLATE_ID || !hasFill(bytes, block)) {
            return;
          }
          if (node == attacker && notices++ < MOST_NOTICES) {
            onOwnNotice(bytes, entry(block));
          } else if (node == honest && attack == OneSidedAttack.STOLEN_KEY) {
            stolen = granted.get(key(bytes, entry(block)));
            repeat(stolen);
          }
        });
  }

  private static boolean hasFill(DirectBuffer bytes, int block) {
    return bytes.getByte(block + WriteNotifyDecoder.BLOCK_LENGTH + 1) > 0
        && lengthBytes(bytes, entry(block)) > BYTES;
  }

  private static int entry(int block) {
    return block + WriteNotifyDecoder.BLOCK_LENGTH + GROUP_HEADER;
  }

  private static long key(DirectBuffer bytes, int entry) {
    int at = entry + WriteNotifyDecoder.RegionsDecoder.keyEncodingOffset();
    return bytes.getLong(at, LITTLE_ENDIAN);
  }

  private static int lengthBytes(DirectBuffer bytes, int entry) {
    int at = entry + WriteNotifyDecoder.RegionsDecoder.lengthBytesEncodingOffset();
    return bytes.getInt(at, LITTLE_ENDIAN);
  }

  private void onOwnNotice(MutableDirectBuffer bytes, int entry) {
    Token own = granted.get(key(bytes, entry));
    if (own == null) {
      throw new IllegalStateException("it announces what it was not granted");
    }
    switch (attack) {
      case GUESSED_KEY -> {
        post(own.address(), own.remoteKey() ^ 1, BYTES);
        announce(bytes, entry, own.region(), own.key() ^ 1);
      }
      case BEYOND_THE_END -> {
        post(own.address() + own.sizeBytes(), own.remoteKey(), BYTES);
        announce(bytes, entry, own.region(), own.key() + own.sizeBytes());
      }
      case ACROSS_THE_END -> {
        post(own.address() + own.sizeBytes() - BYTES, own.remoteKey(), BYTES + 1);
        post(own.address(), own.remoteKey(), (int) own.sizeBytes() + 1);
        announce(bytes, entry, own.region(), own.key() + own.sizeBytes());
      }
      case REVOKED_REGION -> {
        Token lost = Objects.requireNonNull(revoked);
        post(lost.address(), lost.remoteKey(), BYTES);
        announce(bytes, entry, lost.region(), lost.key());
      }
      case OVERLONG_NOTIFY -> {
        post(own.address(), own.remoteKey(), LONGEST_FILL);
        bytes.putInt(
            entry + WriteNotifyDecoder.RegionsDecoder.lengthBytesEncodingOffset(),
            LONGEST_FILL,
            LITTLE_ENDIAN);
      }
      case STOLEN_KEY -> {
        Token other = stolen;
        if (other != null) {
          announce(bytes, entry, other.region(), other.key());
        }
      }
      case CHANGED_AFTER_NOTIFY -> repeat(own);
    }
  }

  private static void announce(MutableDirectBuffer bytes, int entry, int region, long key) {
    bytes.putInt(
        entry + WriteNotifyDecoder.RegionsDecoder.regionEncodingOffset(), region, LITTLE_ENDIAN);
    bytes.putLong(
        entry + WriteNotifyDecoder.RegionsDecoder.keyEncodingOffset(), key, LITTLE_ENDIAN);
  }

  /**
   * Writes there again and again, from before the notification arrives until long after the read.
   */
  private void repeat(@Nullable Token token) {
    for (int i = 0; token != null && i < REPEATS; i++) {
      simulation.at(
          simulation.nowNs() + i * REPEAT_NS,
          () -> post(token.address(), token.remoteKey(), BYTES));
    }
  }

  private void post(long address, long key, int length) {
    Endpoint own = endpoint;
    MemoryRegion source = garbage;
    if (own != null && source != null) {
      own.poll(this, POLLED);
      write.source(source, 0, length).target(address, key);
      posted += Objects.requireNonNull(own.remoteMemory()).postWrite(victim, write, 0) ? 1 : 0;
    }
  }

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    throw new IllegalStateException("nobody knows of this endpoint");
  }

  @Override
  public void onLanded(WriteView view, int at, int length, long nowNs) {
    landed += isOwn(view) ? 1 : 0;
  }

  @Override
  public void onEnded(WriteView view, int status, long nowNs) {
    if (isOwn(view)) {
      ended++;
      refused += status == STATUS_REMOTE_ACCESS ? 1 : 0;
    }
  }

  private boolean isOwn(WriteView view) {
    MemoryRegion source = garbage;
    return source != null && view.source().address() == source.memory().address();
  }
}
