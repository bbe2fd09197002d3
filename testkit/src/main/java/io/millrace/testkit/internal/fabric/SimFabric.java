package io.millrace.testkit.internal.fabric;

import io.millrace.driver.EndpointAddress;
import io.millrace.driver.NotReadyBackoff;
import io.millrace.driver.NotReadySettings;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.net.LossReason;
import io.millrace.testkit.internal.net.NativeBlocks;
import io.millrace.testkit.internal.net.NetworkDraws;
import io.millrace.testkit.internal.net.NetworkObserver;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.net.SimLink;
import io.millrace.testkit.internal.net.SimNetwork;
import io.millrace.testkit.internal.net.SimNic;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NicState;
import io.millrace.testkit.sim.VirtualTime;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A fabric between the interfaces of a simulated network: endpoints with messages and one-sided
 * writes. Delays, rates, losses and cuts come from the network's links. A loss costs time here,
 * because the hardware retransmits, after bursts and truncation too, and corruption hits the pieces
 * of writes alone. A rate, of a link or at either end of an interface, holds back traffic and drops
 * nothing. A fabric has neither policers nor MTUs, and nothing comes twice. Guarantees that no
 * fabric gives do not hold: messages and the pieces of writes overtake each other, completions come
 * in any order, and neither deregistering nor closing stops a write that has begun. Fabrics of
 * different families do not talk to each other. Thread of the simulation.
 */
public final class SimFabric implements AutoCloseable {
  /** The usual family of endpoint addresses. */
  public static final String FAMILY = "sim-fabric";

  /** Room of each send buffer, bytes. */
  static final int BLOCK_BYTES = 1 << 16;

  private static final int POOLED_MESSAGES = 8_192;
  private static final int NIC_SHIFT = 16;
  private static final int NODE_SHIFT = 24;
  private static final int ADDRESS_BITS = 40;
  private static final int SHORT = 0xFFFF;
  private static final int BYTE = 0xFF;
  private static final int FIRST_FREE_PORT = 49_152;
  private static final int BASE_SHIFT = 21;
  private static final long NONE = -1;
  private static final long BASE_MASK = (1L << 42) - 1;

  private final String family;
  private final VirtualTime time;
  private final LongFunction<VirtualTime> linkTimes;
  private final SimNetwork network;
  private final FabricSettings settings;
  private final NetworkDraws draws;
  private final Draws keyDraws;
  private final Draws baseDraws;
  private final FabricCounters counters = new FabricCounters();
  private final NativeBlocks blocks = new NativeBlocks();
  private final Long2ObjectHashMap<SimFabricEndpoint> endpoints = new Long2ObjectHashMap<>();
  private final Long2ObjectHashMap<FabricLink> links = new Long2ObjectHashMap<>();
  private final List<NetworkObserver> messageObservers = new ArrayList<>();
  private final List<FabricObserver> writeObservers = new ArrayList<>();
  private final ArrayDeque<FabricMessage> messages = new ArrayDeque<>();
  private final Int2ObjectHashMap<NicState> states = new Int2ObjectHashMap<>();
  private final long seed;
  private final Long2LongHashMap refusals = new Long2LongHashMap(NONE);
  private final Long2LongHashMap limitsBytes = new Long2LongHashMap(NONE);
  private LongPredicate registering = node -> true;
  private LongPredicate refusing = node -> false;
  private LongPredicate unready = node -> false;
  private long keys;
  private int ports;

  /**
   * Creates a fabric without endpoints.
   *
   * @param family the family of the endpoints' addresses, and the name of the driver
   * @param linkTimes gives each link its time, once, by the link's number: the same time on all
   *     links, but events of each link's own
   * @param network source of the interfaces and links
   */
  public SimFabric(
      String family,
      VirtualTime time,
      LongFunction<VirtualTime> linkTimes,
      long seed,
      SimNetwork network,
      FabricSettings settings) {
    this.family = family;
    this.time = time;
    this.linkTimes = linkTimes;
    this.network = network;
    this.settings = settings;
    this.seed = seed;
    draws = new NetworkDraws(seed, "fabric", "overtake");
    String prefix = family.equals(FAMILY) ? "fabric" : family;
    keyDraws = Draws.of(seed, prefix + ".key");
    baseDraws = Draws.of(seed, prefix + ".base");
  }

  /** The family of the endpoints' addresses, and the name of the driver. */
  public String family() {
    return family;
  }

  /** Sets the state of this fabric at a node; the node's other networks go on. */
  public void state(int node, NicState state) {
    states.put(node, state);
  }

  /** The state of this fabric at a node. */
  NicState state(int node) {
    return states.getOrDefault(node, NicState.UP);
  }

  /** The behaviour of this fabric. */
  public FabricSettings settings() {
    return settings;
  }

  /** The counts of events so far; always the same object. */
  public FabricCounters counters() {
    return counters;
  }

  /** Adds an observer of all messages. */
  public void observe(NetworkObserver observer) {
    messageObservers.add(observer);
  }

  /** Adds an observer of all writes. */
  public void observe(FabricObserver observer) {
    writeObservers.add(observer);
  }

  /** Sets which nodes may register memory from now on; other nodes have no memory left to lock. */
  public void registering(LongPredicate nodes) {
    registering = nodes;
  }

  /** Sets to which nodes no post is taken from now on, as if the queues to the nodes were full. */
  public void refusing(LongPredicate nodes) {
    refusing = nodes;
    new ArrayList<>(endpoints.values()).forEach(SimFabricEndpoint::resume);
  }

  /** Sets which nodes have no receive buffer from now on, whatever arrives. */
  public void unready(LongPredicate nodes) {
    unready = nodes;
  }

  /** Refuses the next registrations of a node, so many. */
  public void refuseRegistrations(int node, int count) {
    refusals.put(node, count);
  }

  /** Lets the endpoints of a node have so many bytes registered together, from now on. */
  public void limitRegistrations(int node, long bytes) {
    limitsBytes.put(node, bytes);
  }

  /** Returns the number of bytes that the endpoints of a node have registered now. */
  public long registeredBytes(int node) {
    long bytes = 0;
    for (SimFabricEndpoint endpoint : endpoints.values()) {
      bytes += node(endpoint.address()) == node ? endpoint.memory().registeredBytes() : 0;
    }
    return bytes;
  }

  /** Returns the number of memories that the endpoints of a node have registered now. */
  public int registrations(int node) {
    int count = 0;
    for (SimFabricEndpoint endpoint : endpoints.values()) {
      count += node(endpoint.address()) == node ? endpoint.memory().count() : 0;
    }
    return count;
  }

  /** Buffers for messages in use by endpoints. */
  public int buffersInUse() {
    return blocks.inUse();
  }

  /** Ends the process of a node at once, with its endpoints and its memory. */
  public void crash(int node) {
    for (SimFabricEndpoint endpoint : new ArrayList<>(endpoints.values())) {
      if (node(endpoint.address()) == node) {
        endpoint.crash();
      }
    }
  }

  /** Frees native memory: no endpoint and no buffer may be touched any more. */
  @Override
  public void close() {
    new ArrayList<>(endpoints.values()).forEach(SimFabricEndpoint::close);
    blocks.close();
  }

  VirtualTime time() {
    return time;
  }

  SimNetwork network() {
    return network;
  }

  NativeBlocks blocks() {
    return blocks;
  }

  SimNic nic(long address) {
    return network.nic(node(address), (int) (address >>> NIC_SHIFT) & BYTE);
  }

  FabricLink link(SimNic from, SimNic to) {
    SimLink link = network.link(from, to);
    FabricLink known = links.get(link.key());
    if (known != null) {
      return known;
    }
    FabricLink created =
        new FabricLink(
            network,
            settings,
            draws,
            linkTimes.apply(link.key()),
            link,
            new FabricLink.Ends(from, to, this::state));
    links.put(link.key(), created);
    return created;
  }

  @Nullable SimFabricEndpoint endpoint(long address) {
    return endpoints.get(address);
  }

  FabricMessage acquire(SimFabricEndpoint sender, FabricDestination destination) {
    FabricMessage message = messages.pollLast();
    return (message == null ? new FabricMessage(sender, destination) : message)
        .use(sender, destination);
  }

  void recycle(FabricMessage message) {
    if (messages.size() < POOLED_MESSAGES) {
      messages.addLast(message);
    }
  }

  void attach(SimFabricEndpoint endpoint) {
    endpoints.put(endpoint.address(), endpoint);
  }

  void detach(SimFabricEndpoint endpoint) {
    endpoints.remove(endpoint.address());
  }

  /** Returns an address on this interface; port 0 asks for a free port, a new port each time. */
  long newAddress(SimAddress wanted) {
    int port =
        wanted.port() == 0 ? FIRST_FREE_PORT + ports++ % (SHORT - FIRST_FREE_PORT) : wanted.port();
    return (long) wanted.node() << NODE_SHIFT | (long) wanted.nic() << NIC_SHIFT | port;
  }

  /** Whether no post to this endpoint is taken. */
  boolean isRefusing(long address) {
    return refusing.test(node(address));
  }

  /** Whether this endpoint has no receive buffer, whatever arrives. */
  boolean isUnready(long address) {
    return unready.test(node(address));
  }

  /** The waits of one endpoint for another endpoint whose receiver is not ready. */
  NotReadyBackoff backoff(long from, long to, NotReadySettings of) {
    return new NotReadyBackoff(of, new SplittableRandom(seed ^ from * 31 + to));
  }

  boolean mayRegister(SimFabricEndpoint endpoint, long bytes) {
    int node = node(endpoint.address());
    long refused = refusals.get(node);
    if (refused > 0) {
      refusals.put(node, refused - 1);
      return false;
    }
    long limitBytes = limitsBytes.get(node);
    return registering.test(node)
        && (limitBytes == NONE || registeredBytes(node) + bytes <= limitBytes);
  }

  /** Returns a key that was never given out before. */
  long nextKey() {
    long number = ++keys;
    return number << Integer.SIZE | keyDraws.draw(0, number) & 0xFFFF_FFFFL;
  }

  /** The address of the first byte of the most recently registered memory. */
  long nextBase() {
    return settings.isVirtual() ? (baseDraws.draw(0, keys) & BASE_MASK) << BASE_SHIFT : 0;
  }

  static int port(long address) {
    return (int) address & SHORT;
  }

  static int node(long address) {
    return (int) (address >>> NODE_SHIFT);
  }

  EndpointAddress endpointAddress(long address) {
    return new EndpointAddress(family, ByteBuffer.allocate(Long.BYTES).putLong(address).array());
  }

  /** Returns the address as a number, or -1 if the address is not an address of this fabric. */
  long address(EndpointAddress address) {
    byte[] bytes = address.bytes();
    if (!family.equals(address.family()) || bytes.length != Long.BYTES) {
      return -1;
    }
    long number = ByteBuffer.wrap(bytes).getLong();
    return number >>> ADDRESS_BITS == 0 ? number : -1;
  }

  void onSent(PacketView message) {
    for (int i = 0; i < messageObservers.size(); i++) {
      messageObservers.get(i).onSent(message, time.nowNs());
    }
  }

  void onDelivered(PacketView message) {
    for (int i = 0; i < messageObservers.size(); i++) {
      messageObservers.get(i).onDelivered(message, time.nowNs());
    }
  }

  void onLost(PacketView message, LossReason reason) {
    for (int i = 0; i < messageObservers.size(); i++) {
      messageObservers.get(i).onLost(message, reason, time.nowNs());
    }
  }

  void onPosted(WriteView write) {
    writeObservers.forEach(observer -> observer.onPosted(write, time.nowNs()));
  }

  void onLanded(WriteView write, int at, int length) {
    writeObservers.forEach(observer -> observer.onLanded(write, at, length, time.nowNs()));
  }

  void onEnded(WriteView write, int status) {
    writeObservers.forEach(observer -> observer.onEnded(write, status, time.nowNs()));
  }
}
