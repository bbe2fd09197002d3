package io.millrace.path.region;

import io.millrace.body.InboundFill;
import io.millrace.body.RegionMemory;
import io.millrace.config.PendingSettings;
import io.millrace.config.RegionSettings;
import io.millrace.driver.MappedMemory;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.event.TransportEvents;
import io.millrace.path.registration.RegistrationEpisode;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionCensus;
import io.millrace.protocol.region.RegionCounters;
import io.millrace.protocol.region.RegionHolder;
import io.millrace.protocol.region.RegionPool;
import io.millrace.protocol.region.RegionPoolSettings;
import io.millrace.protocol.region.RegionReserve;
import io.millrace.protocol.region.RegionSink;
import io.millrace.protocol.region.RegionState;
import io.millrace.protocol.region.RegionTimes;
import io.millrace.protocol.region.WriteToken;
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimerHandler;
import io.millrace.protocol.schedule.TimingWheel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The receive regions of one worker: their memory, the granting machine, and the timer of this
 * machine. Owned by the worker's region pool actor; used on the worker's thread. Does not allocate
 * in the steady state.
 */
public final class WorkerRegions implements RegionSink, TimerHandler {
  /** The least budget, however little is left: a packet may always be on its way. */
  private static final long LEAST_BYTES = 9 << 10;

  /** The step of a grant in times of plenty: a record. */
  private static final int STEP_BYTES = 64 << 10;

  /** The interval between looks at the executor's backlog while the backlog slows wanted grants. */
  private static final long SLOWED_NS = 10_000_000;

  private static final long ALIGNMENT = 4_096;
  private static final long KEY_MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private final RegionPool pool;
  private final ReceiveBudget budget;
  private final StalledBodies stalled;
  private final TimingWheel wheel;
  private final Timer timer = new Timer(this, 0);
  private final RegionMemory[] memory;
  private final ArrayDeque<InboundFill> fills = new ArrayDeque<>();

  /** By endpoint of the worker; null for an endpoint by which no peer writes. */
  private final @Nullable RegionRegistrations[] registrations;

  private final Consumer<String> degraded;
  private final long keySeed;
  private final long mostBytes;
  private PendingSettings slowing = PendingSettings.NEVER;
  private IntSupplier pending = () -> 0;
  private long keysMade;
  private RegionWatcher watcher = RegionWatcher.NONE;
  private TransportEvents events = TransportEvents.NONE;
  private int worker;

  /** By endpoint, the earliest time of the next try after a refusal, ns. */
  private final long[] lookNs;

  private boolean isClosed;

  /**
   * Takes the memory of all regions for writes by NICs. Other regions get their memory at the first
   * chunk.
   *
   * @param budget the bytes that may be on their way to the worker
   * @param remotes by endpoint of the worker, registers the regions for writes by NICs; null for an
   *     endpoint by which the worker itself writes
   * @param placing puts memory for NICs at its proper place
   * @param keySeed must differ in each life of a node
   * @param degraded told of registrations that the system does not end
   */
  public WorkerRegions(
      RegionSettings settings,
      ReceiveBudget budget,
      TimingWheel wheel,
      List<@Nullable RemoteMemory> remotes,
      Consumer<MemorySegment> placing,
      long keySeed,
      Consumer<String> degraded) {
    this.budget = budget;
    mostBytes = settings.grantBudgetBytes();
    this.wheel = wheel;
    this.keySeed = keySeed;
    this.degraded = degraded;
    List<Integer> sizes = settings.sizesBytes();
    List<Integer> counts = settings.counts();
    pool =
        new RegionPool(
            new RegionPoolSettings(
                sizes,
                counts,
                settings.grantBudgetBytes(),
                STEP_BYTES,
                settings.perPeerBytes(),
                new RegionReserve(settings.reserve().percent(), settings.reserve().priorities()),
                settings.adaptiveSizes(),
                new RegionTimes(
                    settings.idleRevokeNs(),
                    settings.idleTimeoutNs(),
                    settings.stallTimeoutNs(),
                    settings.quarantineNs())),
            this::nextKey);
    stalled = new StalledBodies(pool);
    memory = new RegionMemory[counts.stream().mapToInt(Integer::intValue).sum()];
    boolean isWritten = remotes.stream().anyMatch(Objects::nonNull);
    MemorySegment[] segments = new MemorySegment[isWritten ? memory.length : 0];
    for (int index = 0; index < memory.length; index++) {
      int sizeBytes = pool.region(index).sizeBytes();
      if (!isWritten) {
        memory[index] = RegionMemory.onHeap(sizeBytes);
      } else {
        // Freed by the collector: an executor may still read a region after the worker has ended.
        segments[index] = MappedMemory.map(Arena.ofAuto(), sizeBytes, ALIGNMENT);
        // Before the registration: then the memory stays at its place.
        placing.accept(segments[index]);
        memory[index] = RegionMemory.offHeap(segments[index].asByteBuffer());
      }
    }
    registrations = registrations(isWritten ? remotes : List.of(), segments, wheel.timeNs());
    lookNs = new long[registrations.length];
    Arrays.fill(lookNs, wheel.timeNs());
    for (int index = 0; index < memory.length; index++) {
      register(index);
    }
  }

  private static @Nullable RegionRegistrations[] registrations(
      List<@Nullable RemoteMemory> remotes, MemorySegment[] segments, long nowNs) {
    @Nullable RegionRegistrations[] made = new RegionRegistrations[remotes.size()];
    for (int endpoint = 0; endpoint < made.length; endpoint++) {
      RemoteMemory remote = remotes.get(endpoint);
      if (remote != null) {
        made[endpoint] = new RegionRegistrations(remote, segments, nowNs);
      }
    }
    return made;
  }

  /** Registers the region with each endpoint by which peers write and that lacks it. */
  private void register(int region) {
    for (RegionRegistrations each : registrations) {
      if (each != null && each.of(region) == null) {
        each.register(region);
      }
    }
  }

  private @Nullable RegionRegistrations registrations(int endpoint) {
    return endpoint < 0 || endpoint >= registrations.length ? null : registrations[endpoint];
  }

  /** Lets the NIC of the endpoint write into the region; otherwise the region takes chunks. */
  private long nextKey(int region, int endpoint) {
    RegionRegistrations ofEndpoint = registrations(endpoint);
    MemoryRegion registered = ofEndpoint == null ? null : ofEndpoint.of(region);
    if (registered == null) {
      pool.region(region).remote(WriteToken.CHUNKS_ONLY, 0);
    } else {
      pool.region(region).remote(registered.remoteBase(), registered.remoteKey());
    }
    // A bijection of a counter: no key comes twice. The keys of two NICs may be equal.
    return (keySeed + ++keysMade) * KEY_MULTIPLIER;
  }

  private void tellRefusal() {
    for (RegionRegistrations each : registrations) {
      if (each != null) {
        String refusal = each.pollRefusal();
        if (refusal != null) {
          degraded.accept("receive regions: not registered as wanted: " + refusal);
        }
        each.tell(events, worker);
      }
    }
  }

  /** Emits the events of refused registrations, earlier refusals included, for this worker. */
  public void report(TransportEvents listener, int ofWorker) {
    events = listener;
    worker = ofWorker;
    tellRefusal();
  }

  /**
   * The system refused registrations: tries again where no peer holds the region. If the system
   * gives all that was tried, the regions that peers hold for chunks are taken back, and get their
   * registrations after their rest. If peers hold all regions without a registration, the first is
   * taken back for the try.
   */
  private void retry(RegionRegistrations refused, int endpoint, long nowNs) {
    lookNs[endpoint] = nowNs + RegistrationEpisode.FIRST_RETRY_NS;
    for (int index = 0; index < memory.length; index++) {
      if (refused.of(index) == null
          && pool.region(index).state() == RegionState.FREE
          && refused.register(index) == null) {
        return;
      }
    }
    boolean isRestored = refused.isProved();
    if (isRestored) {
      refused.onRestored();
    }
    for (int index = 0; index < memory.length; index++) {
      ReceiveRegion region = pool.region(index);
      if (refused.of(index) == null && region.isGranted() && region.endpoint() == endpoint) {
        pool.revoke(region, nowNs, this);
        if (!isRestored) {
          return;
        }
      }
    }
  }

  private void retryRefused(long nowNs) {
    for (int endpoint = 0; endpoint < registrations.length; endpoint++) {
      RegionRegistrations each = registrations[endpoint];
      if (each != null) {
        each.onTurn(nowNs);
        if (each.isRetryDue() && nowNs - lookNs[endpoint] >= 0) {
          retry(each, endpoint, nowNs);
          tellRefusal();
        }
      }
    }
  }

  /** The time of the next try after a refusal, ns; never, without a refusal. */
  private long retryNs() {
    long firstNs = Long.MAX_VALUE;
    for (int endpoint = 0; endpoint < registrations.length; endpoint++) {
      RegionRegistrations each = registrations[endpoint];
      if (each != null && each.retryNs() != Long.MAX_VALUE) {
        firstNs = Math.min(firstNs, Math.max(each.retryNs(), lookNs[endpoint]));
      }
    }
    return firstNs;
  }

  /** Lets the backlog of the application's executor slow grants. */
  public void slowBy(PendingSettings thresholds, IntSupplier waiting) {
    slowing = thresholds;
    pending = waiting;
  }

  /** The bytes that may be on their way to the worker, granted or not. */
  public ReceiveBudget budget() {
    return budget;
  }

  /** The machine that grants the regions. */
  public RegionPool pool() {
    return pool;
  }

  /** All regions at this moment; on the worker's thread. */
  public RegionCensus census() {
    return pool.census();
  }

  /** The events of the regions so far, in numbers; read only. */
  public RegionCounters counters() {
    return pool.counters();
  }

  /** Sets the watcher of the regions; before the first path. */
  public void watch(RegionWatcher watching) {
    watcher = watching;
  }

  RegionWatcher watcher() {
    return watcher;
  }

  /** The bytes of a region, for the watcher; on the worker's thread. */
  public RegionMemory memory(int region) {
    return memory[region];
  }

  /** The number of bytes that all peers together may still write now. */
  public long outstandingBytes() {
    return pool.outstandingBytes();
  }

  /** The highest value of {@link #outstandingBytes()} so far. */
  public long peakOutstandingBytes() {
    return pool.peakOutstandingBytes();
  }

  /** The number of bytes of the regions held by peers. */
  public long grantedBytes() {
    return pool.grantedBytes();
  }

  /** Regions with a fill under way: written in part, announced, or with an opener. */
  public int busyRegions() {
    int busy = 0;
    for (int index = 0; index < pool.regionCount(); index++) {
      ReceiveRegion region = pool.region(index);
      boolean isHeld = region.state() != RegionState.FREE && region.state() != RegionState.GRANTED;
      busy += isHeld && region.state() != RegionState.QUARANTINED ? 1 : 0;
    }
    return busy;
  }

  /** Hands out all regions that can be handed out; once a turn. */
  public void onTurn(long nowNs) {
    if (isClosed) {
      return;
    }
    retryRefused(nowNs);
    budget.onTurn(nowNs);
    final long authorised = pool.authorisedBytes();
    long wholeBytes = Math.min(budget.grantBytes(), mostBytes);
    long grantBytes = slowing.of(wholeBytes, pending.getAsInt());
    pool.onBudget(Math.max(grantBytes, LEAST_BYTES), budget.pacedBytes(STEP_BYTES, nowNs));
    if (pool.nextDeadlineNs() <= nowNs) {
      pool.onDeadline(nowNs, this);
    }
    pool.grant(nowNs, this);
    if (stalled.onTurn(nowNs)) {
      pool.grant(nowNs, this);
    }
    budget.onGranted(pool.authorisedBytes() - authorised, nowNs);
    long deadlineNs = pool.nextDeadlineNs();
    if (pool.isPressed()) {
      deadlineNs = Math.min(deadlineNs, budget.nextGrantNs(nowNs));
      if (grantBytes < wholeBytes) {
        // The executor wakes no worker at the end of its backlog.
        deadlineNs = Math.min(deadlineNs, nowNs + SLOWED_NS);
      }
    }
    deadlineNs = Math.min(deadlineNs, retryNs());
    if (deadlineNs == Long.MAX_VALUE) {
      wheel.cancel(timer);
    } else if (deadlineNs != timer.deadlineNs()) {
      wheel.schedule(timer, deadlineNs);
    }
  }

  /**
   * Ends every registration, and with it all knowledge of the network about the regions; from now
   * on no region is granted or registered. Deregistering fences nothing: the memory stays for
   * writes under way, and the endpoint is closed after this. Idempotent.
   */
  public void close() {
    isClosed = true;
    wheel.cancel(timer);
    for (RegionRegistrations each : registrations) {
      if (each != null) {
        each.close();
      }
    }
    tellRefusal();
  }

  @Override
  public void onTimer(Timer fired, long nowNs) {
    // The look of the next turn does the rest.
  }

  InboundFill takeFill() {
    InboundFill fill = fills.pollLast();
    if (fill == null) {
      return new InboundFill();
    }
    fill.take();
    return fill;
  }

  void putBack(InboundFill fill) {
    fill.finish();
    fills.addLast(fill);
  }

  private static PathRegions owner(RegionHolder holder) {
    return (PathRegions) holder.owner();
  }

  @Override
  public void onGranted(RegionHolder holder, ReceiveRegion region) {
    watcher.onGranted(holder, region);
    owner(holder).onGranted(region);
  }

  @Override
  public void onAuthorised(RegionHolder holder, ReceiveRegion region) {
    watcher.onAuthorised(region);
    owner(holder).onGranted(region);
  }

  @Override
  public void onReused(RegionHolder holder, ReceiveRegion region) {
    watcher.onReused(region);
    owner(holder).onReused(region);
  }

  @Override
  public void onRevoked(RegionHolder holder, int region, long key, int consumedFill) {
    owner(holder).onRevoked(region, key, consumedFill);
  }

  @Override
  public void onExhausted(RegionHolder holder) {
    owner(holder).onExhausted();
  }

  @Override
  public void onRepair(RegionHolder holder, ReceiveRegion region, long records) {
    owner(holder).onRepair(region, records);
  }

  @Override
  public void onReleased(ReceiveRegion region) {
    watcher.onReleased(region);
    // Where the worker itself writes, the check of the key is the fence.
    deregister(region);
  }

  /**
   * Ends the registration that the region was granted with; false if the end must be tried again.
   */
  private boolean deregister(ReceiveRegion region) {
    RegionRegistrations granted = registrations(region.endpoint());
    return granted == null || granted.deregister(region.index());
  }

  @Override
  public boolean onRested(ReceiveRegion region) {
    if (registrations.length == 0) {
      giveBackUnlessInUse();
      return true;
    }
    boolean isVoid = deregister(region);
    if (isVoid) {
      register(region.index());
    }
    tellRefusal();
    return isVoid;
  }

  /** The last region of a peer came to rest: the written memory is given back. */
  private void giveBackUnlessInUse() {
    if (pool.grantedBytes() == 0 && busyRegions() == 0) {
      for (RegionMemory each : memory) {
        each.giveBack();
      }
    }
  }
}
