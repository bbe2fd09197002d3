package io.millrace.path.region;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The receive regions of one worker in the view of the worker's endpoint. A registration is good
 * for a single grant: the registration ends at the token's revocation. After its rest the memory
 * gets another registration, with another key. Worker's thread only; control plane.
 */
final class RegionRegistrations {
  private final RemoteMemory remote;
  private final MemorySegment[] memory;
  private final @Nullable MemoryRegion[] registered;
  private @Nullable String refusal;
  private boolean isClosed;

  RegionRegistrations(RemoteMemory remote, MemorySegment[] memory) {
    this.remote = remote;
    this.memory = memory;
    registered = new MemoryRegion[memory.length];
  }

  /**
   * Gives the region a new registration; null if the system refuses, or all registrations have
   * ended.
   */
  @Nullable MemoryRegion register(int region) {
    if (isClosed) {
      return null;
    }
    try {
      MemoryRegion made = remote.register(memory[region], true);
      registered[region] = made;
      return made;
    } catch (DriverException e) {
      refusal = String.valueOf(e.getMessage());
      return null;
    }
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

  /** The latest refusal, told once; null without a refusal. */
  @Nullable String pollRefusal() {
    String told = refusal;
    refusal = null;
    return told;
  }
}
