package io.millrace.path.region;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.event.TransportEvents;
import io.millrace.path.registration.RegistrationEpisode;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The receive regions of one worker in the view of one of the worker's endpoints. A registration is
 * good for a single grant: the registration ends at the token's revocation. After its rest the
 * memory gets another registration, with another key. After a refusal no registration is tried for
 * a while. Worker's thread only; control plane.
 */
final class RegionRegistrations {
  private final RemoteMemory remote;
  private final MemorySegment[] memory;
  private final @Nullable MemoryRegion[] registered;
  private final RegistrationEpisode episode =
      new RegistrationEpisode("receive regions", "millrace.regions.counts");
  private long registeredBytes;
  private boolean isProved;
  private long nowNs;
  private @Nullable String refusal;
  private boolean isClosed;

  RegionRegistrations(RemoteMemory remote, MemorySegment[] memory, long nowNs) {
    this.remote = remote;
    this.memory = memory;
    this.nowNs = nowNs;
    registered = new MemoryRegion[memory.length];
  }

  /**
   * Gives the region a new registration; null if the system refuses, has refused lately, or all
   * registrations have ended.
   */
  @Nullable MemoryRegion register(int region) {
    if (isClosed || !episode.mayTry(nowNs)) {
      return null;
    }
    try {
      MemoryRegion made = remote.register(memory[region], true);
      registered[region] = made;
      registeredBytes += memory[region].byteSize();
      isProved = true;
      return made;
    } catch (DriverException e) {
      isProved = false;
      episode.onRefused(e, memory[region].byteSize(), registeredBytes, nowNs);
      return null;
    }
  }

  /** The time has come this far. */
  void onTurn(long timeNs) {
    nowNs = timeNs;
  }

  /** Whether a try after a refusal is due. */
  boolean isRetryDue() {
    return episode.isOn() && !isClosed && episode.mayTry(nowNs);
  }

  /** Whether the latest try has succeeded. */
  boolean isProved() {
    return isProved;
  }

  /** The time of the next try, ns; {@link Long#MAX_VALUE} without a refusal. */
  long retryNs() {
    return episode.isOn() && !isClosed ? episode.retryNs() : Long.MAX_VALUE;
  }

  /** No registration that was tried is refused any more. */
  void onRestored() {
    episode.onRegistered(nowNs);
  }

  /** Emits the events of refusals since the last call. */
  void tell(TransportEvents events, int worker) {
    episode.tell(events, worker);
  }

  /** The registration named by peers in writes to the region, or null without a NIC's reach. */
  @Nullable MemoryRegion of(int region) {
    return registered[region];
  }

  /** Ends the registration; false if the end must be tried again before the memory is used anew. */
  boolean deregister(int region) {
    MemoryRegion present = registered[region];
    if (present == null) {
      return true;
    }
    try {
      remote.deregister(present);
      registered[region] = null;
      registeredBytes -= memory[region].byteSize();
      return true;
    } catch (DriverException e) {
      refusal = String.valueOf(e.getMessage());
      return false;
    }
  }

  /**
   * Ends all registrations for good; a registration that cannot be ended now ends with the
   * endpoint.
   */
  void close() {
    isClosed = true;
    for (int region = 0; region < registered.length; region++) {
      deregister(region);
    }
  }

  /** The latest refusal to end a registration, told once; null without a refusal. */
  @Nullable String pollRefusal() {
    String told = refusal;
    refusal = null;
    return told;
  }
}
