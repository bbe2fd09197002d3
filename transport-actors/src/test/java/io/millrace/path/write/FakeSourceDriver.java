package io.millrace.path.write;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;

/** A fake of a driver whose registrations have a limit that the test sets. */
final class FakeSourceDriver implements RemoteMemory {
  final Map<Long, MemoryRegion> live = new LinkedHashMap<>();
  long limitBytes = Long.MAX_VALUE;
  DriverException.Kind kind = DriverException.Kind.OUT_OF_MEMORY;
  long stuckHandle = -1;
  long made;
  long tries;
  private long bytes;

  @Override
  public MemoryRegion register(MemorySegment memory, boolean remoteWrite) throws DriverException {
    tries++;
    if (bytes + memory.byteSize() > limitBytes) {
      throw new DriverException("cannot lock", kind);
    }
    bytes += memory.byteSize();
    MemoryRegion region = new MemoryRegion(memory, ++made, 0, made);
    live.put(made, region);
    return region;
  }

  @Override
  public void deregister(MemoryRegion region) throws DriverException {
    if (region.handle() == stuckHandle) {
      throw new DriverException("cannot unlock");
    }
    if (live.remove(region.handle()) == null) {
      throw new DriverException("no such region");
    }
    bytes -= region.memory().byteSize();
  }

  @Override
  public boolean postWrite(int destination, RemoteWrite write, long context) {
    throw new UnsupportedOperationException("registers only");
  }
}
