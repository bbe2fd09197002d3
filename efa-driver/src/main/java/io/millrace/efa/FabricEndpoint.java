package io.millrace.efa;

import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverNotices;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.MappedMemory;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.SendBuffer;
import io.millrace.efa.ofi.FabricVerbs;
import io.millrace.efa.ofi.LibFabric;
import io.millrace.efa.ofi.WriteMessage;
import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One reliable-datagram endpoint of a libfabric provider, with a domain and queues of its own.
 *
 * <p>Progress happens inside the calls of the owning thread: while a side does not poll, a peer's
 * writes may not arrive, and this endpoint's writes may not complete. Sends and writes are not
 * ordered against each other.
 */
final class FabricEndpoint implements Endpoint {
  private static final long PAGE_BYTES = 4096;

  /** The number of polls without a completion for one read of the clock. */
  private static final int EMPTY_POLLS_PER_CLOCK = 64;

  /**
   * The least time between two looks, ns. Polls alone do not measure time: a sleeping worker polls
   * once in a millisecond.
   */
  private static final long LOOK_NS = 250_000_000L;

  private final SerialUse use = new SerialUse();
  private final FabricObjects objects;
  private final Arena arena;
  private final EndpointSizes sizes;
  private final DriverNotices notices;
  private final EndpointAddress localAddress;

  /** The name of the endpoint's file of shared memory; null without such a file. */
  private final @Nullable String fileName;

  private final EndpointStatistics statistics = EndpointStatistics.zero();
  private final RegionTable regions;
  private final PostedOperations operations;
  private final AddressVector addresses;
  private final Destinations destinations;
  private final PeerHolds holds;
  private final LongSupplier clockNs;
  private final IntUnaryOperator underWay;
  private final SendQueue sends;
  private final ReceiveRing receives;
  private final FabricMemory memory;
  private final CompletionReaper reaper;
  private int pollsUntilClock = EMPTY_POLLS_PER_CLOCK;
  private long lookedNs;
  private boolean isClosed;

  /**
   * The parts of an endpoint.
   *
   * @param library the library of the endpoint's objects
   * @param objects the endpoint's objects, open and enabled
   * @param regions the regions of the endpoint's domain
   * @param arena the arena of all memory of the endpoint
   * @param clockNs the clock, read when a destination refuses or is not ready, and now and then in
   *     polls without a completion
   * @param random chooses the waits for receivers that are not ready
   * @param sharesMemory whether endpoints of one process use each other's memory
   */
  record Foundation(
      LibFabric library,
      FabricObjects objects,
      RegionTable regions,
      Arena arena,
      LongSupplier clockNs,
      RandomGenerator random,
      boolean sharesMemory) {}

  private FabricEndpoint(
      Foundation foundation,
      FabricGrant grant,
      EndpointSizes sizes,
      DriverNotices notices,
      String family)
      throws DriverException {
    this.objects = foundation.objects();
    this.arena = foundation.arena();
    this.regions = foundation.regions();
    this.sizes = sizes;
    this.notices = notices;
    AddressFormat addressFormat =
        new AddressFormat(family, grant.info().addressFormat(), objects.localAddress());
    this.localAddress = addressFormat.localAddress();
    this.fileName = foundation.sharesMemory() ? SharedMemoryNames.nameOf(localAddress) : null;
    this.addresses =
        new AddressVector(
            foundation.library(),
            objects.addressVector(),
            addressFormat,
            foundation.sharesMemory() ? ProcessEndpoints.OF_PROCESS : null,
            statistics.health());
    this.destinations =
        new Destinations(addresses, new PeerHolds(sizes.notReady(), foundation.random()));
    this.holds = destinations.holds();
    this.clockNs = foundation.clockNs();
    this.lookedNs = clockNs.getAsLong();
    this.underWay = destinations::underWay;
    this.operations = new PostedOperations(arena, destinations, sizes.window(), sizes.writeBytes());
    FabricVerbs verbs = objects.verbs();
    boolean needsDescriptors = grant.info().memory().isLocal();
    this.sends = openSends(verbs, needsDescriptors, foundation.clockNs());
    this.receives = openReceives(verbs, needsDescriptors);
    FabricMemory.WriteTraits writes =
        new FabricMemory.WriteTraits(
            messages(sizes.window()),
            grant.info().memory().immediateBytes(),
            grant.hasDeliveryComplete());
    this.memory =
        new FabricMemory(
            verbs, regions, destinations, operations, statistics, writes, foundation.clockNs());
    this.reaper =
        new CompletionReaper(verbs, operations, receives, sends, memory, statistics, arena);
  }

  /**
   * Opens an endpoint with a grant; owns the grant from here on, also after an exception.
   *
   * @param family the family of the endpoint's addresses
   * @param random chooses the waits for receivers that are not ready
   */
  static FabricEndpoint open(
      LibFabric library,
      FabricGrant grant,
      EndpointSizes sizes,
      DriverNotices notices,
      String family,
      LongSupplier clockNs,
      RandomGenerator random)
      throws DriverException {
    FabricObjects objects =
        FabricObjects.open(
            library, grant.info(), sizes.completionEntries(), sizes.notReady().deviceRetries());
    RemoteKeys keys = new RemoteKeys(grant.info().memory().keyBytes(), new SecureRandom());
    RegionTable regions = new RegionTable(library, objects, grant.info().memory(), keys);
    Arena arena = Arena.ofShared();
    try {
      boolean sharesMemory = FabricProvider.sharesMemory(family);
      Foundation foundation =
          new Foundation(library, objects, regions, arena, clockNs, random, sharesMemory);
      FabricEndpoint endpoint = new FabricEndpoint(foundation, grant, sizes, notices, family);
      if (endpoint.fileName != null) {
        SharedMemoryFiles.OF_PROCESS.onOpened(endpoint.fileName);
      }
      if (sharesMemory) {
        ProcessEndpoints.OF_PROCESS.onOpened(endpoint.localAddress);
      }
      return endpoint;
    } catch (DriverException | RuntimeException e) {
      closeAll(regions.closeAll(), objects, arena, null);
      throw e;
    }
  }

  private WriteMessage[] messages(int window) {
    WriteMessage[] messages = new WriteMessage[window];
    Arrays.setAll(messages, slot -> new WriteMessage(arena));
    return messages;
  }

  private SendQueue openSends(FabricVerbs verbs, boolean needsDescriptor, LongSupplier clockNs)
      throws DriverException {
    int count = sizes.sendBuffers();
    MemorySegment slab = MappedMemory.map(arena, (long) count * sizes.trainBytes(), PAGE_BYTES);
    Train[] trains = new Train[count];
    for (int i = 0; i < count; i++) {
      long address = slab.address() + (long) i * sizes.trainBytes();
      SegmentBuffer buffer = new SegmentBuffer(address, sizes.trainBytes());
      trains[i] = new Train(new SendBuffer(i, buffer), sizes.trainPackets());
    }
    long descriptor = needsDescriptor ? descriptor(slab) : 0;
    return new SendQueue(verbs, destinations, operations, statistics, trains, descriptor, clockNs);
  }

  private ReceiveRing openReceives(FabricVerbs verbs, boolean needsDescriptor)
      throws DriverException {
    MemorySegment slab = MappedMemory.map(arena, ReceiveRing.bytesNeeded(sizes), PAGE_BYTES);
    long descriptor = needsDescriptor ? descriptor(slab) : 0;
    ReceiveRing ring = new ReceiveRing(verbs, statistics, arena, slab, descriptor, sizes);
    ring.post();
    return ring;
  }

  private long descriptor(MemorySegment slab) throws DriverException {
    return regions.register(slab, RegionTable.localAccess()).descriptor;
  }

  @Override
  public Capabilities capabilities() {
    return sizes.capabilities();
  }

  @Override
  public DriverNotices notices() {
    return notices;
  }

  @Override
  public EndpointAddress localAddress() {
    return localAddress;
  }

  @Override
  public int resolve(EndpointAddress remote) throws DriverException {
    assert isUsable();
    return destinations.resolve(remote);
  }

  @Override
  public void release(int destination) {
    assert isUsable();
    destinations.check(destination);
    sends.onReleased(destination);
    destinations.release(destination);
  }

  @Override
  public int pathMaxDatagramBytes(int destination) {
    destinations.check(destination);
    return sizes.datagramBytes();
  }

  @Override
  public @Nullable SendBuffer acquireSendBuffer() {
    assert isUsable();
    return sends.acquire();
  }

  @Override
  public void releaseSendBuffer(SendBuffer buffer) {
    assert isUsable();
    sends.release(buffer);
  }

  @Override
  public void postSend(
      int destination, SendBuffer buffer, int length, int segmentLength, long context) {
    assert isUsable();
    if (isUp()
        && destinations.isResolved(destination)
        && sizes.allowsTrain(length, segmentLength)) {
      sends.post(destination, buffer, length, segmentLength, context);
    } else {
      sends.refuse(buffer, context);
    }
  }

  @Override
  public void flush() {
    assert isUsable();
    pushOrGiveUp();
  }

  /** Hands trains to the provider; an endpoint that has failed has no use for trains. */
  private void pushOrGiveUp() {
    if (isUp()) {
      sends.push();
    } else {
      sends.giveUp();
    }
  }

  @Override
  public int poll(CompletionHandler handler, int limit) {
    assert isUsable() && use.enter() : "another thread is inside";
    try {
      boolean mayPoll = statistics.health().mayPoll();
      int given = mayPoll ? reaper.reap(handler, limit) : 0;
      reaper.abandonLost();
      given += sends.report(handler);
      given += memory.report(handler);
      if (mayPoll) {
        receives.post();
      }
      pushOrGiveUp();
      memory.repeat();
      settleHolds();
      holds.report(handler);
      if (given == 0) {
        statistics.counters().emptyPolls++;
        lookForGone();
      }
      return given;
    } finally {
      assert use.exit();
    }
  }

  private void settleHolds() {
    if (holds.hasStalled()) {
      holds.forgetWaiting();
      sends.tellWaiting();
      memory.tellWaiting();
      holds.settle(underWay, clockNs.getAsLong());
    }
  }

  /**
   * From time to time looks for a write to a peer that is gone, where memory is shared: the
   * provider completes writes in order, so such a write, which had all the time since the last look
   * to end, blocks the endpoint.
   */
  private void lookForGone() {
    if (fileName == null || --pollsUntilClock > 0) {
      return;
    }
    pollsUntilClock = EMPTY_POLLS_PER_CLOCK;
    long nowNs = clockNs.getAsLong();
    if (nowNs - lookedNs < LOOK_NS) {
      return;
    }
    lookedNs = nowNs;
    if (destinations.waitsForGone()) {
      statistics.health().onBlocked();
    }
  }

  @Override
  public RemoteMemory remoteMemory() {
    return memory;
  }

  @Override
  public boolean isUp() {
    return statistics.health().isUp();
  }

  @Override
  public @Nullable String fault() {
    return statistics.health().fault();
  }

  @Override
  public EndpointCounters counters() {
    return statistics.counters();
  }

  /** The counters beyond the SPI's counters. */
  FabricCounters fabricCounters() {
    return statistics.fabricCounters();
  }

  /** The number of posted receives; between polls, all receives are posted. */
  int postedReceives() {
    return receives.posted();
  }

  /** The number of operations posted and not yet complete. */
  int operationsInFlight() {
    return operations.inFlight();
  }

  private boolean isUsable() {
    assert use.isFree() : "another thread is inside";
    assert !isClosed : "the endpoint is closed";
    return true;
  }

  /**
   * Closes the endpoint. The closes of a process happen one after the other; see {@link
   * ProcessEndpoints} for the release of memory.
   */
  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      sends.detach();
      ProcessEndpoints.OF_PROCESS.inTurn(this::end);
    }
  }

  private void end() {
    addresses.close();
    boolean isClean = regions.closeAll();
    ProcessEndpoints.OF_PROCESS.onClosed(
        localAddress, () -> closeAll(isClean, objects, arena, fileName));
  }

  /**
   * Closes the objects and the arena. If an object stays open, the memory that the endpoint may
   * still touch is not freed.
   */
  private static void closeAll(
      boolean isClean, FabricObjects objects, Arena arena, @Nullable String fileName) {
    boolean isClosed = objects.close();
    if (isClosed && fileName != null) {
      SharedMemoryFiles.OF_PROCESS.onClosed(fileName);
    }
    if (isClosed && isClean) {
      arena.close();
    }
  }
}
