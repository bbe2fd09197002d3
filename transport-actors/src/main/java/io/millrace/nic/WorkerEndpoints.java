package io.millrace.nic;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.SendBuffer;
import io.millrace.path.network.PathNetwork;
import io.millrace.path.network.Rail;
import io.millrace.protocol.schedule.SendRate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.agrona.collections.IntArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of one worker as a single network. First come the endpoints of the worker's own
 * NIC, by each of the NIC's drivers, then an endpoint on each other NIC. A destination is a path's
 * peer; the destination has a rail at a time, and its packets leave by the endpoint of the rail.
 * Packets are taken from all endpoints; endpoints without a destination now are polled now and
 * then. Same thread rules as {@link Endpoint}; {@link #open}, {@link #use}, {@link #release} and
 * {@link #close} may allocate, the other methods do not.
 */
public final class WorkerEndpoints implements PathNetwork, AutoCloseable {
  /** How long an unused endpoint may go without a poll, ns. */
  private static final long IDLE_POLL_NS = 200_000;

  /** The time until a new flush of trains for which the system had no room, ns. */
  private static final long FLUSH_AGAIN_NS = 1_000_000;

  private static final int UNRESOLVED = -1;

  private final Endpoint[] endpoints;
  private final List<EndpointDescription> descriptions;
  private final boolean[] isPosted;
  private final int[] users;
  private final List<@Nullable Destination> destinations = new ArrayList<>();
  private final int maxTrainPackets;
  private final int @Nullable [] arrivals;
  private int polled;
  private boolean hasMore;

  /** The time of the last poll of unused endpoints, all at once so that a worker can rest. */
  private long idlePolledNs = Long.MIN_VALUE / 2;

  private long nextPollNs = Long.MAX_VALUE;

  /** The time of the new flush of trains left behind; never, without such trains. */
  private long nextFlushNs = Long.MAX_VALUE;

  /** The destination of one path's packets. */
  private static final class Destination {
    private final List<Rail> rails;
    private final int[] resolved;
    private int rail;
    private Endpoint endpoint;
    private int local;
    private int at;

    private Destination(List<Rail> rails, Endpoint first) {
      this.rails = rails;
      resolved = new int[rails.size()];
      Arrays.fill(resolved, UNRESOLVED);
      endpoint = first;
    }
  }

  /**
   * Takes these endpoints over, at least one.
   *
   * @param descriptions a description for each endpoint
   */
  public WorkerEndpoints(List<Endpoint> opened, List<EndpointDescription> descriptions) {
    this.descriptions = List.copyOf(descriptions);
    endpoints = opened.toArray(new Endpoint[0]);
    isPosted = new boolean[endpoints.length];
    users = new int[endpoints.length];
    int packets = Integer.MAX_VALUE;
    for (Endpoint endpoint : endpoints) {
      packets = Math.min(packets, endpoint.capabilities().maxTrainPackets());
    }
    maxTrainPackets = Math.max(1, packets);
    arrivals = arrivalsOf(opened);
  }

  private static int @Nullable [] arrivalsOf(List<Endpoint> endpoints) {
    IntArrayList all = new IntArrayList();
    for (Endpoint endpoint : endpoints) {
      int[] descriptors = endpoint.arrivalDescriptors();
      if (descriptors == null) {
        return null;
      }
      for (int descriptor : descriptors) {
        all.addInt(descriptor);
      }
    }
    return all.toIntArray();
  }

  @Override
  public int size() {
    return endpoints.length;
  }

  /** An endpoint, by its place in this node's adverts. */
  public Endpoint endpoint(int index) {
    return endpoints[index];
  }

  /** The description of an endpoint. */
  public EndpointDescription description(int index) {
    return descriptions.get(index);
  }

  /** The descriptions of all endpoints, in the same order. */
  public List<EndpointDescription> descriptions() {
    return descriptions;
  }

  @Override
  public int maxTrainPackets() {
    return maxTrainPackets;
  }

  @Override
  public int sourcePorts() {
    return endpoints[0].sourcePorts();
  }

  @Override
  public int packetOverheadBytes() {
    return endpoints[0].packetOverheadBytes();
  }

  @Override
  public SendRate sendRate(int endpoint) {
    return descriptions.get(endpoint).share().sendRate();
  }

  /** Whether a path uses an endpoint now. */
  boolean isUsed(int endpoint) {
    return users[endpoint] > 0;
  }

  @Override
  public int queueUs(int endpoint) {
    return descriptions.get(endpoint).share().link().queueUs();
  }

  @Override
  public @Nullable RemoteMemory remoteMemory(int endpoint) {
    return endpoints[endpoint].remoteMemory();
  }

  /** One-sided operations of each endpoint; null for an endpoint without such operations. */
  public List<@Nullable RemoteMemory> remoteMemories() {
    List<@Nullable RemoteMemory> all = new ArrayList<>();
    for (Endpoint endpoint : endpoints) {
      all.add(endpoint.remoteMemory());
    }
    return all;
  }

  /** As {@link Endpoint#refreshLink()}, for all endpoints. */
  public void refreshLinks() {
    for (Endpoint endpoint : endpoints) {
      endpoint.refreshLink();
    }
  }

  /** As {@link Endpoint#giveBack()}, for all endpoints. */
  public void giveBack() {
    for (Endpoint endpoint : endpoints) {
      endpoint.giveBack();
    }
  }

  /** The number of bytes sent and received by all endpoints so far. */
  public long movedBytes() {
    long sum = 0;
    for (Endpoint endpoint : endpoints) {
      sum += endpoint.counters().bytesSent + endpoint.counters().bytesReceived;
    }
    return sum;
  }

  @Override
  public boolean isUp(int index) {
    return endpoints[index].isUp();
  }

  @Override
  public String nics(IntStream indexes) {
    return indexes
        .mapToObj(index -> descriptions.get(index).nicName())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  @Override
  public int open(List<Rail> rails) throws DriverException {
    Destination destination = new Destination(List.copyOf(rails), endpoints[0]);
    DriverException refusal = null;
    for (int rail = 0; rail < rails.size(); rail++) {
      try {
        bind(destination, rail);
        users[destination.local]++;
        return add(destination);
      } catch (DriverException e) {
        refusal = refusal == null ? e : refusal;
      }
    }
    throw refusal == null ? new DriverException("there is no way to the peer") : refusal;
  }

  private int add(Destination destination) {
    int free = destinations.indexOf(null);
    if (free >= 0) {
      destinations.set(free, destination);
      return free;
    }
    destinations.add(destination);
    return destinations.size() - 1;
  }

  private void bind(Destination destination, int rail) throws DriverException {
    Rail chosen = destination.rails.get(rail);
    Endpoint endpoint = endpoints[chosen.local()];
    if (destination.resolved[rail] == UNRESOLVED) {
      destination.resolved[rail] = endpoint.resolve(chosen.address());
    }
    destination.rail = rail;
    destination.local = chosen.local();
    destination.endpoint = endpoint;
    destination.at = destination.resolved[rail];
  }

  private Destination of(int destination) {
    Destination found = destinations.get(destination);
    if (found == null) {
      throw new IllegalStateException("destination " + destination + " was released");
    }
    return found;
  }

  @Override
  public int rail(int destination) {
    return of(destination).rail;
  }

  @Override
  public boolean use(int destination, int rail) {
    Destination found = of(destination);
    int before = found.local;
    try {
      bind(found, rail);
    } catch (DriverException e) {
      return false;
    }
    users[before]--;
    users[found.local]++;
    return true;
  }

  @Override
  public boolean isOneSided(int destination) {
    Destination found = of(destination);
    return found.rails.get(found.rail).isOneSided();
  }

  @Override
  public int writeDestination(int destination) {
    if (!isOneSided(destination)) {
      throw new IllegalStateException("no one-sided write leads there now");
    }
    return of(destination).at;
  }

  @Override
  public void release(int destination) {
    Destination found = of(destination);
    users[found.local]--;
    for (int rail = 0; rail < found.resolved.length; rail++) {
      if (found.resolved[rail] != UNRESOLVED) {
        endpoints[found.rails.get(rail).local()].release(found.resolved[rail]);
      }
    }
    destinations.set(destination, null);
  }

  @Override
  public int pathMaxDatagramBytes(int destination) {
    Destination found = of(destination);
    return found.endpoint.pathMaxDatagramBytes(found.at);
  }

  @Override
  public int endpointOf(int destination) {
    return of(destination).local;
  }

  @Override
  public int remoteEndpointOf(int destination) {
    Destination found = of(destination);
    return found.rails.get(found.rail).remote();
  }

  @Override
  public @Nullable SendBuffer acquireSendBuffer(int endpoint) {
    return endpoints[endpoint].acquireSendBuffer();
  }

  @Override
  public void releaseSendBuffer(int endpoint, SendBuffer buffer) {
    endpoints[endpoint].releaseSendBuffer(buffer);
  }

  @Override
  public void postSend(
      int flow, int destination, SendBuffer buffer, int length, int segmentLength) {
    Destination found = of(destination);
    int port = flow < found.endpoint.sourcePorts() ? flow : 0;
    found.endpoint.postSend(port, found.at, buffer, length, segmentLength, 0);
    isPosted[found.local] = true;
  }

  @Override
  public void postPacket(int destination, SendBuffer buffer, int length) {
    postSend(0, destination, buffer, length, length);
  }

  @Override
  public void postOnce(int endpoint, EndpointAddress to, SendBuffer buffer, int length)
      throws DriverException {
    Endpoint chosen = endpoints[endpoint];
    int destination = chosen.resolve(to);
    chosen.postSend(destination, buffer, length, length, 0);
    chosen.flush();
    isPosted[endpoint] |= chosen.hasPosted();
    chosen.release(destination);
  }

  @Override
  public boolean flush(long nowNs) {
    boolean isAny = false;
    boolean isAnyLeft = false;
    for (int i = 0; i < endpoints.length; i++) {
      isAny |= isPosted[i];
      if (i == 0 || isPosted[i]) {
        endpoints[i].flush();
        isPosted[i] = endpoints[i].hasPosted();
        isAnyLeft |= isPosted[i];
      }
    }
    nextFlushNs = isAnyLeft ? nowNs + FLUSH_AGAIN_NS : Long.MAX_VALUE;
    return isAny;
  }

  /**
   * The time of the next {@link #flush} without other work, ns; never, if no train waits for a
   * flush.
   */
  public long nextFlushNs() {
    return nextFlushNs;
  }

  /** Polls the endpoints, each for about {@code limit}; see {@link Endpoint#poll}. */
  public int poll(CompletionHandler handler, int limit, long nowNs) {
    polled = 0;
    int work = endpoints[0].poll(handler, limit);
    hasMore = work >= limit;
    nextPollNs = Long.MAX_VALUE;
    boolean isIdleDue = nowNs - idlePolledNs >= IDLE_POLL_NS;
    if (isIdleDue) {
      idlePolledNs = nowNs;
    }
    for (int i = 1; i < endpoints.length; i++) {
      if (users[i] > 0 || isIdleDue) {
        polled = i;
        int given = endpoints[i].poll(handler, limit);
        hasMore |= given >= limit;
        work += given;
      } else {
        nextPollNs = idlePolledNs + IDLE_POLL_NS;
      }
    }
    return work;
  }

  @Override
  public boolean hasMore() {
    return hasMore;
  }

  /**
   * The time to poll an endpoint left out by the last {@link #poll}, ns; never, where the system
   * tells of arrivals.
   */
  public long nextPollNs() {
    return arrivals == null ? nextPollNs : Long.MAX_VALUE;
  }

  /** As {@link Endpoint#arrivalDescriptors()}, for all endpoints. */
  public int @Nullable [] arrivalDescriptors() {
    return arrivals;
  }

  @Override
  public int polled() {
    return polled;
  }

  @Override
  public @Nullable EndpointAddress receiveSource() {
    return endpoints[polled].receiveSource();
  }

  @Override
  public int destinationOf(int resolved) {
    for (int i = destinations.size() - 1; i >= 0; i--) {
      Destination each = destinations.get(i);
      if (each != null && each.local == polled && each.at == resolved) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public void close() {
    for (Endpoint endpoint : endpoints) {
      endpoint.close();
    }
  }
}
