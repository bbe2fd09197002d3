package io.millrace.actor.pool;

import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.peer.PeerLink;
import io.millrace.actor.peer.SubmissionPort;
import io.millrace.config.Addresses;
import io.millrace.node.TransportException;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The peers of a node by handshake address: those that the application holds and those that have a
 * path; no other is kept. A peer belongs to one worker for as long: the less loaded of the two that
 * its address hashes to. Any thread; the lookup of a peer that the application holds takes no lock.
 */
final class PeerDirectory {
  private static final int ANY_WORKER = -1;

  private final List<SubmissionPort> ports;
  private final int waitingLimit;
  private final int peerLimit;
  private final ConcurrentHashMap<String, Entry> peers = new ConcurrentHashMap<>();
  private final int[] peersOfWorker;
  private final boolean[] stopped;

  /** A peer, where its handshake address is, and why it is kept. */
  static final class Entry {
    private final PeerHandle handle;
    private final InetSocketAddress address;
    private final Map<Integer, PeerLink> links = new TreeMap<>();
    private volatile boolean held;
    private int paths;

    private Entry(PeerHandle handle, InetSocketAddress address) {
      this.handle = handle;
      this.address = address;
      links.put(handle.port().worker(), handle.link());
    }

    PeerHandle handle() {
      return handle;
    }

    InetSocketAddress address() {
      return address;
    }
  }

  PeerDirectory(List<SubmissionPort> ports, int waitingLimit, int peerLimit) {
    this.ports = ports;
    this.waitingLimit = waitingLimit;
    this.peerLimit = peerLimit;
    peersOfWorker = new int[ports.size()];
    stopped = new boolean[ports.size()];
  }

  /** The peer of this identity, or null if it is not kept. */
  @Nullable Entry find(String identity) {
    return peers.get(identity);
  }

  /** How many peers are kept. */
  int size() {
    return peers.size();
  }

  /**
   * The peer at this address, which the application holds from now on.
   *
   * @param onHeld is told of it once, when it is held first
   * @throws TransportException if it is new and there are too many, or no worker is left
   */
  Entry admit(InetSocketAddress address, Consumer<PeerHandle> onHeld) {
    String identity = Addresses.format(address);
    Entry known = peers.get(identity);
    return known != null && known.held ? known : hold(identity, address, onHeld);
  }

  private synchronized Entry hold(
      String identity, InetSocketAddress address, Consumer<PeerHandle> onHeld) {
    Entry entry = add(identity, address, ANY_WORKER);
    if (!entry.held) {
      onHeld.accept(entry.handle);
      entry.held = true;
    }
    return entry;
  }

  /**
   * A peer that called was given {@code worker}, and its path opens: the link for it. When this
   * node's own calls to that peer are on another worker already, the path gets a link of its own,
   * since a link belongs to one worker's thread.
   *
   * @throws TransportException if the peer is new and there are too many
   */
  synchronized PeerLink onPathOfCaller(InetSocketAddress address, int worker) {
    String identity = Addresses.format(address);
    Entry entry = add(identity, address, worker);
    entry.paths++;
    return entry.links.computeIfAbsent(worker, key -> new PeerLink(identity, waitingLimit));
  }

  /** No peer is given to this worker any more. */
  synchronized void onWorkerStopped(int worker) {
    stopped[worker] = true;
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
   * @return the peer's links by worker if it is forgotten now, or none
   */
  synchronized Map<Integer, PeerLink> onPathEnded(String identity) {
    Entry entry = peers.get(identity);
    if (entry == null || --entry.paths > 0 || entry.held) {
      return Collections.emptyMap();
    }
    peers.remove(identity);
    peersOfWorker[entry.handle.port().worker()]--;
    return entry.links;
  }

  private Entry add(String identity, InetSocketAddress address, int wantedWorker) {
    Entry known = peers.get(identity);
    if (known != null) {
      return known;
    }
    if (peers.size() >= peerLimit) {
      throw new TransportException(
          "more peers than millrace.limits.peers = " + peerLimit + " allows", null);
    }
    SubmissionPort port =
        ports.get(wantedWorker == ANY_WORKER ? workerFor(identity) : wantedWorker);
    PeerHandle handle = new PeerHandle(identity, port, new PeerLink(identity, waitingLimit));
    Entry entry = new Entry(handle, address);
    peersOfWorker[port.worker()]++;
    peers.put(identity, entry);
    return entry;
  }

  /** Whether this worker has stopped. */
  synchronized boolean isStopped(int worker) {
    return stopped[worker];
  }

  /** Whether there is a worker that has not stopped. */
  synchronized boolean hasWorker() {
    return !stopped[leastLoadedWorker()];
  }

  /**
   * The worker with the fewest peers, one that has stopped only if all have; for a peer that calls,
   * whose address is not known yet.
   */
  synchronized int leastLoadedWorker() {
    int least = 0;
    for (int worker = 1; worker < peersOfWorker.length; worker++) {
      if (isBetter(worker, least)) {
        least = worker;
      }
    }
    return least;
  }

  private boolean isBetter(int worker, int than) {
    return stopped[worker] == stopped[than]
        ? peersOfWorker[worker] < peersOfWorker[than]
        : stopped[than];
  }

  private int workerFor(String identity) {
    int hash = mix(identity);
    int first = Math.floorMod(hash, ports.size());
    int second = Math.floorMod(hash >>> Short.SIZE, ports.size());
    int chosen = isBetter(second, first) ? second : first;
    return stopped[chosen] ? lastResort() : chosen;
  }

  /** Both that the address hashes to have stopped. */
  private int lastResort() {
    int worker = leastLoadedWorker();
    if (stopped[worker]) {
      throw new TransportException("every worker of this node has stopped", null);
    }
    return worker;
  }

  private static int mix(String identity) {
    int hash = identity.hashCode() * 0x9E3779B9;
    return hash ^ (hash >>> Short.SIZE);
  }
}
