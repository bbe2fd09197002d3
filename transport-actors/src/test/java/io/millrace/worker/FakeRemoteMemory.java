package io.millrace.worker;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;

/** Counts registrations; refuses to end some registrations. */
public final class FakeRemoteMemory implements RemoteMemory {
  private final Set<Long> live = new HashSet<>();
  private long made;
  private long stuckHandle = -1;

  public int live() {
    return live.size();
  }

  long made() {
    return made;
  }

  public void refuseToEnd(long handle) {
    stuckHandle = handle;
  }

  @Override
  public MemoryRegion register(MemorySegment memory, boolean remoteWrite) {
    long handle = ++made;
    live.add(handle);
    return new MemoryRegion(memory, handle, 0, handle);
  }

  @Override
  public void deregister(MemoryRegion region) throws DriverException {
    if (region.handle() == stuckHandle || !live.remove(region.handle())) {
      throw new DriverException("registration " + region.handle() + " cannot be ended");
    }
  }

  @Override
  public boolean postWrite(int destination, RemoteWrite write, long context) {
    throw new UnsupportedOperationException("receives only");
  }
}
