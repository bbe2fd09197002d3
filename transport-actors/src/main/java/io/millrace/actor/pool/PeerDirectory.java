package io.millrace.actor.pool;

import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.peer.PeerLink;
import io.millrace.actor.peer.SubmissionPort;
import io.millrace.config.Addresses;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The peers of a node by handshake address. A peer belongs to one worker for good: the less loaded
 * of the two that its address hashes to. Any thread; the lookup of a known peer takes no lock.
 */
final class PeerDirectory {
  private static final int ANY_WORKER = -1;

  private final List<SubmissionPort> ports;
  private final int waitingLimit;
  private final int peerLimit;
  private final ConcurrentHashMap<String, Entry> peers = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, PeerLink> callers = new ConcurrentHashMap<>();
  private final int[] peersOfWorker;

  /** A peer and where its handshake address is. */
  record Entry(PeerHandle handle, InetSocketAddress address) {}

  PeerDirectory(List<SubmissionPort> ports, int waitingLimit, int peerLimit) {
    this.ports = ports;
    this.waitingLimit = waitingLimit;
    this.peerLimit = peerLimit;
    peersOfWorker = new int[ports.size()];
  }

  /** The peer of this identity, or null if it was never asked for. */
  @Nullable Entry find(String identity) {
    return peers.get(identity);
  }

  /** Whether one more peer would be too many. */
  boolean isFull() {
    return peers.size() >= peerLimit;
  }

  /**
   * The peer at this address, admitted if it is new.
   *
   * @throws TransportException if it is new and there are too many
   */
  Entry admit(InetSocketAddress address) {
    String identity = Addresses.format(address);
    Entry known = peers.get(identity);
    return known != null ? known : add(identity, address, ANY_WORKER);
  }

  /**
   * The link of a peer that called and was given {@code worker}. When this node's own calls to that
   * peer are on another worker already, the path gets a link of its own, since a link belongs to
   * one worker's thread.
   *
   * @throws TransportException if the peer is new and there are too many
   */
  PeerLink linkOfCaller(InetSocketAddress address, int worker) {
    PeerHandle handle = add(Addresses.format(address), address, worker).handle();
    if (handle.port().worker() == worker) {
      return handle.link();
    }
    return callers.computeIfAbsent(
        handle.identity() + "@" + worker, key -> new PeerLink(handle.identity(), waitingLimit));
  }

  /** The workers have ended: whatever waits for a peer fails. */
  void closeLinks() {
    peers.values().forEach(entry -> entry.handle().link().close());
    callers.values().forEach(PeerLink::close);
  }

  private synchronized Entry add(String identity, InetSocketAddress address, int wantedWorker) {
    Entry known = peers.get(identity);
    if (known != null) {
      return known;
    }
    if (isFull()) {
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

  /** The worker with the fewest peers; for one that calls, whose address is not known yet. */
  synchronized int leastLoadedWorker() {
    int least = 0;
    for (int worker = 1; worker < peersOfWorker.length; worker++) {
      if (peersOfWorker[worker] < peersOfWorker[least]) {
        least = worker;
      }
    }
    return least;
  }

  private int workerFor(String identity) {
    int hash = mix(identity);
    int first = Math.floorMod(hash, ports.size());
    int second = Math.floorMod(hash >>> Short.SIZE, ports.size());
    return peersOfWorker[second] < peersOfWorker[first] ? second : first;
  }

  private static int mix(String identity) {
    int hash = identity.hashCode() * 0x9E3779B9;
    return hash ^ (hash >>> Short.SIZE);
  }
}
