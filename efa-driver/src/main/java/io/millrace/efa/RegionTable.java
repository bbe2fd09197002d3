package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.efa.ofi.FabricConstants;
import io.millrace.efa.ofi.FabricErrno;
import io.millrace.efa.ofi.LibFabric;
import io.millrace.efa.ofi.MemoryMode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The registrations of one domain. A handle is a slot and its generation, so the table recognises a
 * deregistered handle for ever. Owned by the endpoint's thread; control plane except {@link #find}.
 */
final class RegionTable {
  private static final int MAX_REGIONS = 1 << 16;

  private final LibFabric library;
  private final MemoryMode mode;
  private final long domain;
  private final long endpoint;
  private final RemoteKeys keys;
  private final List<@Nullable Registration> slots = new ArrayList<>();

  /** A live registration. */
  static final class Registration {
    final long handle;
    final long region;
    final long descriptor;
    final long remoteKey;
    final MemorySegment memory;

    /** Writes under way that read from the memory. */
    private int reads;

    Registration(long handle, long region, long descriptor, long remoteKey, MemorySegment memory) {
      this.handle = handle;
      this.region = region;
      this.descriptor = descriptor;
      this.remoteKey = remoteKey;
      this.memory = memory;
    }

    /** A write that reads from the memory was posted. */
    void onPosted() {
      reads++;
    }

    /** Such a write has ended. */
    void onEnded() {
      reads--;
    }
  }

  private int nextGeneration;
  private int live;

  RegionTable(LibFabric library, FabricObjects objects, MemoryMode mode, RemoteKeys keys) {
    this.library = library;
    this.mode = mode;
    this.domain = objects.domain();
    this.endpoint = objects.endpoint();
    this.keys = keys;
  }

  /**
   * Registers memory; {@code access} holds {@code FI_SEND}, {@code FI_REMOTE_WRITE} and so on.
   *
   * @throws DriverException of the kind that the provider's error number says
   */
  Registration register(MemorySegment memory, long access) throws DriverException {
    if (!memory.isNative() || memory.byteSize() == 0 || memory.isReadOnly()) {
      throw new DriverException("only writable native memory can be registered, not " + memory);
    }
    int slot = freeSlot();
    long key = mode.hasProviderKeys() ? 0 : keys.next();
    long region = library.registerMemory(domain, memory.address(), memory.byteSize(), access, key);
    if (region < 0) {
      throw failure("registering " + memory.byteSize() + " bytes", region);
    }
    if (mode.isEndpointBound()) {
      bind(region);
    }
    long handle = (long) nextGeneration++ << Integer.SIZE | slot;
    Registration registration =
        new Registration(
            handle, region, library.descriptor(region), library.remoteKey(region), memory);
    slots.set(slot, registration);
    live++;
    return registration;
  }

  private int freeSlot() throws DriverException {
    if (live == slots.size()) {
      if (live == MAX_REGIONS) {
        throw new DriverException("the table of " + MAX_REGIONS + " memory regions is full");
      }
      slots.add(null);
      return live;
    }
    return slots.indexOf(null);
  }

  private void bind(long region) throws DriverException {
    int rc = library.bind(region, endpoint, 0);
    if (rc == 0) {
      rc = library.enable(region);
    }
    if (rc != 0) {
      library.close(region);
      throw failure("binding a memory region", rc);
    }
  }

  private DriverException failure(String what, long rc) {
    DriverException.Kind kind = kind((int) -rc);
    String text = what + " failed: " + library.errorText((int) -rc) + " (" + rc + ")";
    return new DriverException(
        kind.isMemory() ? text + "; " + LockedMemoryLimit.text() : text, kind);
  }

  /** Kernels refuse to lock memory with each of the first three numbers. */
  private static DriverException.Kind kind(int errno) {
    if (errno == FabricErrno.FI_ENOMEM) {
      return DriverException.Kind.OUT_OF_MEMORY;
    }
    if (errno == FabricErrno.FI_EPERM || errno == FabricErrno.FI_EAGAIN) {
      return DriverException.Kind.LOCKED_MEMORY_LIMIT;
    }
    return errno == FabricErrno.FI_ENOSYS || errno == FabricErrno.FI_EOPNOTSUPP
        ? DriverException.Kind.UNSUPPORTED
        : DriverException.Kind.OTHER;
  }

  /** Returns the live registration with this handle, or null. */
  @Nullable Registration find(long handle) {
    int slot = (int) handle;
    if (slot < 0 || slot >= slots.size()) {
      return null;
    }
    Registration registration = slots.get(slot);
    return registration != null && registration.handle == handle ? registration : null;
  }

  /** Returns the address by which a peer names the first byte. */
  long remoteBase(Registration registration) {
    return mode.hasVirtualAddresses() ? registration.memory.address() : 0;
  }

  /** Ends a registration from which no write under way reads. */
  void deregister(long handle) throws DriverException {
    Registration registration = find(handle);
    if (registration == null) {
      throw new DriverException("no such memory region, or deregistered before");
    }
    if (registration.reads > 0) {
      throw new DriverException(
          registration.reads + " writes under way read from the memory region");
    }
    int rc = library.close(registration.region);
    if (rc != 0) {
      throw failure("deregistering a memory region", rc);
    }
    slots.set((int) handle, null);
    live--;
  }

  int live() {
    return live;
  }

  /** Ends every registration; returns whether all registrations have ended. */
  boolean closeAll() {
    boolean isClean = true;
    for (int slot = 0; slot < slots.size(); slot++) {
      Registration registration = slots.get(slot);
      if (registration != null) {
        isClean &= library.close(registration.region) == 0;
        slots.set(slot, null);
      }
    }
    live = 0;
    return isClean;
  }

  /** Returns the access flags of the endpoint's own buffers. */
  static long localAccess() {
    return FabricConstants.FI_SEND | FabricConstants.FI_RECV;
  }

  /** Returns the access flags of a region of the SPI. */
  static long regionAccess(boolean remoteWrite) {
    return FabricConstants.FI_WRITE | (remoteWrite ? FabricConstants.FI_REMOTE_WRITE : 0);
  }
}
