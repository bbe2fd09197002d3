package io.millrace.path.write;

import io.millrace.buffer.BufferRegistry;
import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The node's buffers in the view of one worker's endpoint. The first write registers all buffers at
 * once, for the life of the endpoint. Worker's thread only.
 */
final class SourceMemory {
  private final RemoteMemory remote;
  private final BufferRegistry buffers;
  private final List<MemoryRegion> regions = new ArrayList<>();
  private boolean isTried;
  private @Nullable String refusal;

  SourceMemory(RemoteMemory remote, BufferRegistry buffers) {
    this.remote = remote;
    this.buffers = buffers;
  }

  /** Whether writes can be posted from the buffers; the first question registers the buffers. */
  boolean isReady() {
    if (!isTried) {
      isTried = true;
      register();
    }
    return !regions.isEmpty();
  }

  private void register() {
    try {
      for (MemorySegment memory : buffers.memory()) {
        regions.add(remote.register(memory, false));
      }
    } catch (DriverException e) {
      refusal = String.valueOf(e.getMessage());
      release();
    }
  }

  private void release() {
    for (MemoryRegion region : regions) {
      try {
        remote.deregister(region);
      } catch (DriverException e) {
        // No write reads from the region; the region ends with the endpoint.
        refusal = String.valueOf(e.getMessage());
      }
    }
    regions.clear();
  }

  /**
   * Returns why writes cannot be posted, once; null if writes can be posted or the reason was told.
   */
  @Nullable String pollRefusal() {
    String told = refusal;
    refusal = null;
    return told;
  }

  /** One-sided operations of the endpoint. */
  RemoteMemory remote() {
    return remote;
  }

  /** The registration of a stretch of the registry's memory. */
  MemoryRegion region(int index) {
    return regions.get(index);
  }
}
