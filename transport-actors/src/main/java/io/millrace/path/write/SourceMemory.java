package io.millrace.path.write;

import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.TransferBuffer;
import io.millrace.config.TransferSettings;
import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.ends.PathCounters;
import io.millrace.event.TransportEvents;
import io.millrace.path.registration.RegistrationEpisode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The node's buffers in the view of one endpoint of a worker: a cache of registrations. The memory
 * is cut into stretches; a stretch is registered at its first use, and a write holds a reference to
 * its stretch from its post to its completion. Where the settings or the system allow no further
 * registration, the stretch without a reference that was used least recently gives up its own. A
 * refusal of the system begins a reduced mode: a missing stretch then takes the place of another
 * only if the other was not used for a second, and {@link RegistrationEpisode} says when a further
 * registration is tried. Worker's thread only; allocates only when a stretch is registered.
 */
final class SourceMemory {
  /** In the reduced mode a stretch used within this time keeps its registration. */
  static final long IDLE_NS = 1_000_000_000;

  private final RemoteMemory remote;
  private final TransferSettings.Registration settings;
  private final Stretch[][] stretches;
  private final long[] stretchBytes;
  private final List<Stretch> registered = new ArrayList<>();
  private final RegistrationEpisode episode =
      new RegistrationEpisode("send buffers", "millrace.transfers.registration.bytes");
  private long registeredBytes;
  private long made;
  private long evicted;
  private long refused;
  private boolean hasNews;

  /** A part of the memory that is registered at once. */
  static final class Stretch {
    private final MemorySegment memory;
    private final long offset;
    private @Nullable MemoryRegion region;
    private boolean isStuck;

    /** Whether no further write begins until the writes under way have ended. */
    private boolean isLeaving;

    private int references;
    private long usedNs;

    private Stretch(MemorySegment memory, long offset) {
      this.memory = memory;
      this.offset = offset;
    }

    /** The registration; only for a holder of a reference. */
    MemoryRegion region() {
      MemoryRegion present = region;
      if (present == null) {
        throw new IllegalStateException("the stretch is not registered");
      }
      return present;
    }

    /** The offset in the registration of the byte at this offset of the registry's memory. */
    long offset(long memoryOffset) {
      return memoryOffset - offset;
    }

    /** A write that read from the stretch has ended, or was not posted. */
    void release() {
      if (references == 0) {
        throw new IllegalStateException("the stretch was released more often than acquired");
      }
      references--;
    }

    int references() {
      return references;
    }

    private long bytes() {
      return memory.byteSize();
    }
  }

  SourceMemory(
      RemoteMemory remote, BufferRegistry buffers, TransferSettings.Registration settings) {
    this.remote = remote;
    this.settings = settings;
    List<MemorySegment> memory = buffers.memory();
    stretches = new Stretch[memory.size()][];
    stretchBytes = new long[memory.size()];
    for (int index = 0; index < stretches.length; index++) {
      // Whole blocks: no write crosses the end of a stretch.
      int blockBytes = buffers.blockBytes(index);
      stretchBytes[index] = (long) Math.max(1, settings.stretchBytes() / blockBytes) * blockBytes;
      stretches[index] = cut(memory.get(index), stretchBytes[index]);
    }
  }

  private static Stretch[] cut(MemorySegment memory, long bytes) {
    Stretch[] cut = new Stretch[(int) ((memory.byteSize() + bytes - 1) / bytes)];
    for (int i = 0; i < cut.length; i++) {
      long from = i * bytes;
      cut[i] = new Stretch(memory.asSlice(from, Math.min(bytes, memory.byteSize() - from)), from);
    }
    return cut;
  }

  /** One-sided operations of the endpoint. */
  RemoteMemory remote() {
    return remote;
  }

  /**
   * Whether writes of these bytes of a buffer should be posted. In the reduced mode, only if all
   * stretches of the bytes are registered, or can be registered now.
   */
  boolean isReady(TransferBuffer buffer, int from, int length, long nowNs) {
    if (!episode.isOn()) {
      return stretches.length > 0;
    }
    int blockBytes = buffer.segmentBytes();
    for (int at = from; at < from + length; at += blockBytes - at % blockBytes) {
      if (!register(of(buffer.memoryIndex(), buffer.memoryOffset(at)), nowNs)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the system refuses registrations: a stretch that cannot be acquired may stay so. */
  boolean isReduced() {
    return episode.isOn();
  }

  /**
   * Takes a reference to the stretch around this byte of the registry's memory, and registers the
   * stretch if need be.
   *
   * @return null if the stretch cannot be registered now: see {@link #isReduced}; otherwise all
   *     registrations allowed by the settings have references, and the caller waits for a {@link
   *     Stretch#release}
   */
  @Nullable Stretch acquire(int index, long memoryOffset, long nowNs) {
    Stretch stretch = of(index, memoryOffset);
    if (stretch.isLeaving && stretch.references > 0) {
      return null;
    }
    stretch.isLeaving = false;
    if (stretch.region == null && !register(stretch, nowNs)) {
      if (!episode.isOn()) {
        letOneLeave();
      }
      return null;
    }
    stretch.references++;
    stretch.usedNs = nowNs;
    return stretch;
  }

  /** All stretches are in use without a break: the least recently used stretch makes room. */
  private void letOneLeave() {
    Stretch oldest = null;
    for (int i = 0; i < registered.size(); i++) {
      Stretch each = registered.get(i);
      if (each.isLeaving) {
        return;
      }
      boolean isOlder = oldest == null || each.usedNs - oldest.usedNs < 0;
      oldest = isOlder && !each.isStuck ? each : oldest;
    }
    if (oldest != null) {
      oldest.isLeaving = true;
    }
  }

  private Stretch of(int index, long memoryOffset) {
    return stretches[index][(int) (memoryOffset / stretchBytes[index])];
  }

  private boolean register(Stretch stretch, long nowNs) {
    if (stretch.region != null) {
      return true;
    }
    boolean isReduced = episode.isOn();
    boolean mayTry = episode.mayTry(nowNs);
    while (mayTry && !hasRoom(stretch)) {
      if (!evict(nowNs, nowNs)) {
        return false;
      }
    }
    if (mayTry && tryRegister(stretch, nowNs)) {
      episode.onRegistered(nowNs);
      return true;
    }
    // The system gives no more now: in the place of another.
    long unusedSinceNs = isReduced ? nowNs - IDLE_NS : nowNs;
    return evict(unusedSinceNs, nowNs) && hasRoom(stretch) && tryRegister(stretch, nowNs);
  }

  private boolean hasRoom(Stretch stretch) {
    return registered.size() < settings.mostStretches()
        && registeredBytes + stretch.bytes() <= Math.max(settings.mostBytes(), stretch.bytes());
  }

  private boolean tryRegister(Stretch stretch, long nowNs) {
    hasNews = true;
    try {
      stretch.region = remote.register(stretch.memory, false);
    } catch (DriverException e) {
      refused++;
      episode.onRefused(e, stretch.bytes(), registeredBytes, nowNs);
      return false;
    }
    made++;
    stretch.usedNs = nowNs;
    registered.add(stretch);
    registeredBytes += stretch.bytes();
    return true;
  }

  /**
   * Ends the registration that was used least recently, among the stretches without a reference
   * that were not used later than {@code unusedSinceNs}; false if none was ended.
   */
  private boolean evict(long unusedSinceNs, long nowNs) {
    int oldest = -1;
    for (int i = 0; i < registered.size(); i++) {
      Stretch each = registered.get(i);
      boolean isIdle = each.references == 0 && !each.isStuck && each.usedNs - unusedSinceNs <= 0;
      if (isIdle && (oldest < 0 || each.usedNs - registered.get(oldest).usedNs < 0)) {
        oldest = i;
      }
    }
    return oldest >= 0 && deregister(oldest, nowNs);
  }

  private boolean deregister(int place, long nowNs) {
    Stretch stretch = registered.get(place);
    MemoryRegion region = stretch.region();
    hasNews = true;
    try {
      remote.deregister(region);
    } catch (DriverException e) {
      // The registration stays good, and ends with the endpoint.
      stretch.isStuck = true;
      refused++;
      episode.onRefused(e, stretch.bytes(), registeredBytes, nowNs);
      return false;
    }
    evicted++;
    stretch.isLeaving = false;
    stretch.region = null;
    registeredBytes -= stretch.bytes();
    Stretch last = registered.removeLast();
    if (last != stretch) {
      registered.set(place, last);
    }
    return true;
  }

  /** The number of registered stretches. */
  int registeredCount() {
    return registered.size();
  }

  /** The bytes of all registered stretches. */
  long registeredBytes() {
    return registeredBytes;
  }

  /** Counts and tells the changes since the last call. */
  void tell(TransportEvents events, PathCounters counters, int worker) {
    if (!hasNews) {
      return;
    }
    hasNews = false;
    counters.stretchesRegistered += made;
    counters.stretchesEvicted += evicted;
    counters.stretchesRefused += refused;
    made = 0;
    evicted = 0;
    refused = 0;
    episode.tell(events, worker);
  }
}
