package io.millrace.engine;

import io.millrace.config.Addresses;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.ends.SubmissionRings;
import io.millrace.node.TransportException;
import io.millrace.path.causality.CausalityGroup;
import io.millrace.path.causality.Dependencies;
import io.millrace.path.peer.CallLimits;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.protocol.session.PeerPlaces;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The peers of a node by handshake address: peers that the application holds and peers with a path;
 * no other peer is kept. A peer that is kept belongs to a single worker ({@link WorkerChoice}),
 * from the peer's first call or path on. Any thread; the lookup of a peer that the application
 * holds takes no lock.
 */
final class PeerDirectory {
  private final List<SubmissionPort> ports;
  private final WorkerChoice choice;
  private final CallLimits limits;
  private final int peerLimit;
  private final PeerPlaces places;
  private final Function<String, SharedPeerHealth> healths;
  private final ConcurrentHashMap<String, Entry> peers = new ConcurrentHashMap<>();
  private Consumer<Map<Integer, PeerLink>> onYield = links -> {};

  /**
   * A peer that called.
   *
   * @param address the handshake address by which the peer names itself
   * @param proved the peer as the handshake proved the peer
   */
  record Caller(InetSocketAddress address, HandshakeOutcome.Peer proved) {
    private PeerPlaces.Claim claim() {
      return new PeerPlaces.Claim(
          Addresses.format(address), proved.identity().text(), proved.address());
    }
  }

  /** A peer, the place of its handshake address, and the reason for keeping the peer. */
  static final class Entry {
    private volatile PeerHandle handle;
    private volatile InetSocketAddress address;
    private final Map<Integer, PeerLink> links = new TreeMap<>();
    private volatile boolean held;

    /** Told of the peer when the peer is held and has its worker. */
    private @Nullable Consumer<PeerHandle> onHeld;

    private int paths;

    private Entry(PeerHandle handle, InetSocketAddress address) {
      this.handle = handle;
      this.address = address;
    }

    PeerHandle handle() {
      return handle;
    }

    InetSocketAddress address() {
      return address;
    }
  }

  PeerDirectory(
      List<SubmissionPort> ports,
      CallLimits limits,
      int peerLimit,
      Function<String, SharedPeerHealth> healths) {
    this.ports = ports;
    this.healths = healths;
    this.limits = limits;
    this.peerLimit = peerLimit;
    places = new PeerPlaces(peerLimit);
    choice = new WorkerChoice(ports.size(), worker -> ports.get(worker).loadBytes());
  }

  /** {@code action} is given the links of each peer that has to give way, by worker. */
  synchronized void onYield(Consumer<Map<Integer, PeerLink>> action) {
    onYield = action;
  }

  /** The peer of this identity, or null for a peer that is not kept. */
  @Nullable Entry find(String identity) {
    return peers.get(identity);
  }

  /** The peers that the application holds and that have a worker, by address. */
  List<PeerHandle> held() {
    return peers.values().stream()
        .filter(entry -> entry.held)
        .map(Entry::handle)
        .filter(PeerHandle::isPlaced)
        .sorted(Comparator.comparing(PeerHandle::identity))
        .toList();
  }

  /** The number of kept peers. */
  int size() {
    return peers.size();
  }

  /** Whether less than an eighth of the places for peers is free. */
  boolean isShort() {
    return peers.size() >= peerLimit - peerLimit / 8;
  }

  /**
   * The peer at this address, which the application holds from now on.
   *
   * @param onHeld told of the peer once, when the peer is held and has a worker
   * @throws TransportException if the peer is new and the peers are too many, or no worker is left
   */
  Entry admit(InetSocketAddress address, Consumer<PeerHandle> onHeld) {
    String identity = Addresses.format(address);
    Entry known = peers.get(identity);
    return known != null && known.held ? known : hold(identity, address, onHeld);
  }

  private synchronized Entry hold(
      String identity, InetSocketAddress address, Consumer<PeerHandle> onHeld) {
    requireWorker(identity);
    take(places.onCalled(identity));
    Entry entry = add(identity, address);
    if (!entry.held) {
      // The peer may have called before, by numbers; the name that the application uses may get
      // other numbers.
      entry.address = address;
      entry.onHeld = onHeld;
      if (entry.handle.isPlaced()) {
        onHeld.accept(entry.handle);
      }
      entry.held = true;
    }
    return entry;
  }

  /**
   * The application's handle of a peer from now on: another handle after the worker of this handle
   * has stopped, if a worker is left. Transfers begun with the old handle end with the old handle.
   */
  synchronized PeerHandle current(PeerHandle known) {
    Entry entry = peers.get(known.identity());
    if (entry == null
        || entry.handle != known
        || !known.isPlaced()
        || !choice.isStopped(known.port().worker())
        || !choice.hasWorker()) {
      return entry == null ? known : entry.handle;
    }
    choice.onPeer(known.port().worker(), -1);
    entry.handle = new PeerHandle(known.identity(), known.health(), this::placeOf);
    return entry.handle;
  }

  /** The application calls the peer, or asks for its worker, for the first time. */
  private synchronized PeerHandle.Place placeOf(PeerHandle handle, Dependencies dependencies) {
    Entry entry = peers.get(handle.identity());
    if (entry == null || entry.handle != handle) {
      throw new IllegalStateException(handle + " is not kept");
    }
    if (handle.isPlaced()) {
      return new PeerHandle.Place(handle.port(), handle.link());
    }
    int wanted = workerOf(dependencies);
    return place(entry, choice.isUsable(wanted) ? wanted : choice.forPeer(handle.identity()));
  }

  private PeerHandle.Place place(Entry entry, int worker) {
    PeerHandle handle = entry.handle;
    // A peer that called may have a link on this worker already.
    PeerLink link = entry.links.computeIfAbsent(worker, key -> newLink(handle, key));
    PeerHandle.Place place = new PeerHandle.Place(ports.get(worker), link);
    choice.onPeer(worker, 1);
    handle.place(place);
    if (entry.onHeld != null) {
      entry.onHeld.accept(handle);
    }
    return place;
  }

  /** The worker of the transfers to wait for, and of several the last named; or -1. */
  private int workerOf(Dependencies dependencies) {
    for (CausalityGroup group : dependencies.groups()) {
      for (SubmissionPort port : ports) {
        if (port.causality() == group) {
          return port.worker();
        }
      }
    }
    return WorkerChoice.NONE;
  }

  /**
   * A peer that called was given {@code worker}, and its path opens: returns the link for the path.
   * When this node's own calls to this peer are on another worker already, the path gets a link of
   * its own, since a link belongs to a single worker's thread.
   *
   * @throws TransportException if the peer is new and the peers are too many
   */
  synchronized PeerLink onPathOfCaller(Caller caller, int worker) {
    PeerPlaces.Claim claim = caller.claim();
    requireWorker(claim.peer());
    take(places.onClaim(claim));
    Entry entry = add(claim.peer(), caller.address());
    if (!entry.handle.isPlaced()) {
      place(entry, worker);
    }
    entry.paths++;
    return entry.links.computeIfAbsent(worker, key -> newLink(entry.handle, key));
  }

  /** Whether a peer that has proved this may have a place. */
  synchronized boolean canTake(Caller caller) {
    return places.canTake(caller.claim());
  }

  /**
   * A new peer lacks room for another reason than a place: another peer gives way, as for a place.
   * The other peer's room is free when its paths have ended.
   */
  synchronized void onShort(Caller caller) {
    giveWay(places.onShort(caller.claim()));
  }

  /** Whether a peer has given way, and gets no more paths. */
  synchronized boolean isLeaving(String identity) {
    return places.isLeaving(identity);
  }

  private void take(PeerPlaces.Decision decision) {
    if (!decision.isTaken()) {
      throw new TransportException(
          "more peers than millrace.limits.peers = " + peerLimit + " allows", null);
    }
    giveWay(decision.yields());
  }

  private void giveWay(@Nullable String peer) {
    Entry entry = peer == null ? null : peers.get(peer);
    if (entry != null) {
      onYield.accept(new TreeMap<>(entry.links));
    }
  }

  private PeerLink newLink(PeerHandle handle, int worker) {
    SubmissionRings rings = ports.get(worker).rings();
    return new PeerLink(handle.health(), limits, rings::isDrained);
  }

  /**
   * The link of a peer on this worker, made if the peer has none there: a peer that was forgotten
   * since the worker asked for a path may be kept again, on another worker. A link belongs to a
   * single worker's thread, and is kept as long as the peer. A peer without a worker gets this
   * worker. Returns null for a peer that is not kept.
   */
  synchronized @Nullable PeerLink linkFor(String identity, int worker) {
    Entry entry = peers.get(identity);
    if (entry == null) {
      return null;
    }
    if (!entry.handle.isPlaced()) {
      place(entry, worker);
    }
    return entry.links.computeIfAbsent(worker, key -> newLink(entry.handle, key));
  }

  /** No peer is given to this worker any more. */
  synchronized void onWorkerStopped(int worker) {
    choice.onStopped(worker);
  }

  /** New peers are given to this worker last while its own NIC is down. */
  synchronized void onNic(int worker, boolean isUp) {
    choice.onNic(worker, isUp);
  }

  /** The links of a peer by worker; empty if the peer is not kept. */
  synchronized Map<Integer, PeerLink> linksOf(String identity) {
    Entry entry = peers.get(identity);
    return entry == null ? Collections.emptyMap() : new TreeMap<>(entry.links);
  }

  /** The links that belong to a worker's thread. */
  synchronized List<PeerLink> linksOf(int worker) {
    return peers.values().stream()
        .map(entry -> entry.links.get(worker))
        .filter(Objects::nonNull)
        .toList();
  }

  /** A path that this node asked for opens. */
  synchronized void onPath(String identity) {
    Entry entry = peers.get(identity);
    if (entry != null) {
      entry.paths++;
    }
  }

  /**
   * A path to this peer has ended.
   *
   * @return the peer's links by worker if the peer is forgotten now, or an empty map
   */
  synchronized Map<Integer, PeerLink> onPathEnded(String identity) {
    Entry entry = peers.get(identity);
    if (entry == null || --entry.paths > 0 || entry.held) {
      return new TreeMap<>();
    }
    peers.remove(identity);
    places.onEnded(identity);
    choice.onPeer(entry.handle.port().worker(), -1);
    return new TreeMap<>(entry.links);
  }

  private Entry add(String identity, InetSocketAddress address) {
    Entry known = peers.get(identity);
    if (known != null) {
      return known;
    }
    PeerHandle handle = new PeerHandle(identity, healths.apply(identity), this::placeOf);
    Entry entry = new Entry(handle, address);
    peers.put(identity, entry);
    return entry;
  }

  private void requireWorker(String identity) {
    if (!choice.hasWorker() && !peers.containsKey(identity)) {
      throw new TransportException("every worker of this node has stopped", null);
    }
  }

  /** Whether this worker has stopped. */
  synchronized boolean isStopped(int worker) {
    return choice.isStopped(worker);
  }

  /** Whether a worker is left that has not stopped. */
  synchronized boolean hasWorker() {
    return choice.hasWorker();
  }

  /** The worker for a calling peer whose name is not known yet. */
  synchronized int workerForCaller() {
    return choice.forCaller();
  }

  /**
   * The worker for a calling peer: the worker of this node's calls to the peer, if such a worker
   * exists.
   */
  synchronized int workerForCaller(String identity) {
    Entry known = peers.get(identity);
    if (known != null && known.handle.isPlaced()) {
      int own = known.handle.port().worker();
      if (!choice.isStopped(own)) {
        return own;
      }
    }
    return choice.forCaller();
  }
}
