package io.millrace.path.region;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The receive regions of one worker in the view of those of the worker's endpoints by which peers
 * write. Each region is registered with each of these endpoints. A registration is good for a
 * single grant: the registration ends at the token's revocation. After its rest the memory gets
 * another registration, with another key. Worker's thread only; control plane.
 */
final class RegionRegistrations {
  private final @Nullable RemoteMemory[] remotes;
  private final MemorySegment[] memory;
  private final @Nullable MemoryRegion[][] registered;
  private @Nullable String refusal;
  private boolean isClosed;

  /**
   * No region is registered yet.
   *
   * @param remotes by endpoint; null for an endpoint by which no peer writes
   */
  RegionRegistrations(@Nullable RemoteMemory[] remotes, MemorySegment[] memory) {
    this.remotes = remotes;
    this.memory = memory;
    registered = new MemoryRegion[remotes.length][memory.length];
  }

  /** Registers the region with each endpoint that has no registration of the region. */
  void register(int region) {
    for (int endpoint = 0; endpoint < remotes.length && !isClosed; endpoint++) {
      RemoteMemory remote = remotes[endpoint];
      if (remote != null && registered[endpoint][region] == null) {
        try {
          registered[endpoint][region] = remote.register(memory[region], true);
        } catch (DriverException e) {
          refusal = String.valueOf(e.getMessage());
        }
      }
    }
  }

  /**
   * The registration that peers name in writes to the region by this endpoint, or null if no peer
   * can write so.
   *
   * @param endpoint the index of an endpoint, or negative
   */
  @Nullable MemoryRegion of(int region, int endpoint) {
    return endpoint < 0 || endpoint >= remotes.length ? null : registered[endpoint][region];
  }

  /**
   * Ends the registration that the region has with an endpoint, if any; false if the end must be
   * tried again before the memory is used anew.
   */
  boolean deregister(int region, int endpoint) {
    MemoryRegion present = of(region, endpoint);
    RemoteMemory remote = present == null ? null : remotes[endpoint];
    if (present == null || remote == null) {
      return true;
    }
    try {
      remote.deregister(present);
      registered[endpoint][region] = null;
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
    for (int endpoint = 0; endpoint < remotes.length; endpoint++) {
      for (int region = 0; region < memory.length; region++) {
        deregister(region, endpoint);
      }
    }
  }

  /** The latest refusal, told once; null without a refusal. */
  @Nullable String pollRefusal() {
    String told = refusal;
    refusal = null;
    return told;
  }
}
