package io.millrace.efa.ofi;

import static io.millrace.efa.ofi.NativeMemory.function;
import static io.millrace.efa.ofi.NativeMemory.readInt;
import static io.millrace.efa.ofi.NativeMemory.readLong;
import static io.millrace.efa.ofi.NativeMemory.readString;
import static io.millrace.efa.ofi.NativeMemory.writeInt;
import static io.millrace.efa.ofi.NativeMemory.writeLong;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.efa.ofi.FabricLayouts.FiAvAttr;
import io.millrace.efa.ofi.FabricLayouts.FiCqAttr;
import io.millrace.efa.ofi.FabricLayouts.FiDomainAttr;
import io.millrace.efa.ofi.FabricLayouts.FiEpAttr;
import io.millrace.efa.ofi.FabricLayouts.FiEqAttr;
import io.millrace.efa.ofi.FabricLayouts.FiFabricAttr;
import io.millrace.efa.ofi.FabricLayouts.FiInfo;
import io.millrace.efa.ofi.FabricLayouts.FiLinkAttr;
import io.millrace.efa.ofi.FabricLayouts.FiOps;
import io.millrace.efa.ofi.FabricLayouts.FiOpsAv;
import io.millrace.efa.ofi.FabricLayouts.FiOpsCm;
import io.millrace.efa.ofi.FabricLayouts.FiOpsDomain;
import io.millrace.efa.ofi.FabricLayouts.FiOpsEp;
import io.millrace.efa.ofi.FabricLayouts.FiOpsFabric;
import io.millrace.efa.ofi.FabricLayouts.FiOpsMr;
import io.millrace.efa.ofi.FabricLayouts.FiRxAttr;
import io.millrace.efa.ofi.FabricLayouts.FiTxAttr;
import io.millrace.efa.ofi.FabricLayouts.Fid;
import io.millrace.efa.ofi.FabricLayouts.FidAv;
import io.millrace.efa.ofi.FabricLayouts.FidDomain;
import io.millrace.efa.ofi.FabricLayouts.FidEp;
import io.millrace.efa.ofi.FabricLayouts.FidFabric;
import io.millrace.efa.ofi.FabricLayouts.FidMr;
import io.millrace.efa.ofi.FabricLayouts.FidNic;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@link LibFabric} through Panama.
 *
 * <p>The library exports only its bootstrap functions. The binding reaches all other functions
 * through the operation tables of the objects, and checks the sizes of the tables because older
 * libraries have shorter tables.
 */
final class PanamaLibFabric implements LibFabric {
  /** The newest API version in tests of this binding, in the format of {@code fi_version}. */
  private static final int TESTED_VERSION = 1 << 16 | 18;

  private static final int ADDRESS_BYTES = 512;

  /** A fabric with smaller messages is not chosen: no packet is sure to fit. */
  private static final int LEAST_MESSAGE_BYTES = 1_200;

  /** {@code int f(void)}. */
  private static final MethodHandle VERSION = Downcalls.unbound(JAVA_INT);

  /** {@code char *f(int)}. */
  private static final MethodHandle TEXT = Downcalls.unbound(JAVA_LONG, JAVA_INT);

  /** {@code int fi_getinfo(version, node, service, flags, hints, info**)}. */
  private static final MethodHandle GETINFO =
      Downcalls.unbound(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS);

  /** {@code void fi_freeinfo(info)}. */
  private static final MethodHandle FREEINFO = Downcalls.unboundVoid(JAVA_LONG);

  /** {@code info *fi_dupinfo(info)}. */
  private static final MethodHandle DUPINFO = Downcalls.unbound(JAVA_LONG, JAVA_LONG);

  /** {@code int f(object, attributes, object**, context)}: domain, eq, av, cq, endpoint. */
  private static final MethodHandle OPEN =
      Downcalls.unbound(JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);

  /** {@code int fi_fabric(attributes, fabric**, context)}. */
  private static final MethodHandle FABRIC =
      Downcalls.unbound(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG);

  /** {@code int close(object)}. */
  private static final MethodHandle CLOSE = Downcalls.unbound(JAVA_INT, JAVA_LONG);

  /** {@code int bind(object, object, flags)}. */
  private static final MethodHandle BIND =
      Downcalls.unbound(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** {@code int control(object, command, argument)}. */
  private static final MethodHandle CONTROL =
      Downcalls.unbound(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);

  /** {@code int setopt(object, level, option, value, size_t)}. */
  private static final MethodHandle SETOPT =
      Downcalls.unbound(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG);

  /** {@code int getname(object, buffer, size_t*)}. */
  private static final MethodHandle GETNAME =
      Downcalls.unbound(JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);

  /** {@code int insert(av, addresses, count, fi_addr_t*, flags, context)}. */
  private static final MethodHandle AV_INSERT =
      Downcalls.unbound(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);

  /** {@code int remove(av, fi_addr_t*, count, flags)}. */
  private static final MethodHandle AV_REMOVE =
      Downcalls.unbound(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);

  /** {@code int reg(domain, buffer, bytes, access, offset, key, flags, mr**, context)}. */
  private static final MethodHandle MR_REG =
      Downcalls.unbound(
          JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
          ADDRESS, JAVA_LONG);

  private final LibC libc;
  private final SignalGuard signals;
  private final MemorySegment getInfo;
  private final MemorySegment freeInfo;
  private final MemorySegment dupInfo;
  private final MemorySegment fabric;
  private final MemorySegment strError;
  private final int version;

  /** Binds the symbols of {@code library}; NoSuchElementException names a missing symbol. */
  PanamaLibFabric(SymbolLookup library, LibC libc, SignalGuard signals) {
    this.libc = libc;
    this.signals = signals;
    this.getInfo = library.findOrThrow("fi_getinfo");
    this.freeInfo = library.findOrThrow("fi_freeinfo");
    this.dupInfo = library.findOrThrow("fi_dupinfo");
    this.fabric = library.findOrThrow("fi_fabric");
    this.strError = library.findOrThrow("fi_strerror");
    try {
      this.version = (int) VERSION.invokeExact(library.findOrThrow("fi_version"));
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public String errorText(int errno) {
    try {
      return readString((long) TEXT.invokeExact(strError, Math.abs(errno)));
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public FabricInfo query(FabricHints hints) throws FabricException {
    try (Arena arena = Arena.ofConfined()) {
      long nativeHints = (long) DUPINFO.invokeExact(dupInfo, 0L);
      if (nativeHints == 0) {
        throw new OutOfMemoryError("fi_dupinfo");
      }
      fillHints(nativeHints, hints);
      MemorySegment node = string(arena, hints.node());
      MemorySegment service = string(arena, hints.service());
      boolean namesLocalSide = hints.node() != null || hints.service() != null;
      long flags = namesLocalSide ? FabricConstants.FI_SOURCE : 0;
      MemorySegment out = arena.allocate(JAVA_LONG);
      int rc = (int) signals.guard(() -> getInfo(node, service, flags, nativeHints, out));
      FREEINFO.invokeExact(freeInfo, nativeHints);
      if (rc != 0) {
        throw new FabricException("fi_getinfo for " + hints.provider(), -rc, errorText(rc));
      }
      return choose(out.get(JAVA_LONG, 0), hints.fabric());
    } catch (FabricException e) {
      throw e;
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  /** Keeps the chosen answer of the list that begins with {@code first}. */
  private FabricInfo choose(long first, @Nullable String fabric) throws Throwable {
    List<FabricInfo> answers = new ArrayList<>();
    for (long info = first; info != 0; info = readLong(info + FiInfo.NEXT)) {
      answers.add(readInfo(info));
    }
    int chosen = FabricChoice.best(answers, fabric, LEAST_MESSAGE_BYTES);
    if (chosen == 0) {
      return answers.getFirst();
    }
    long copy = (long) DUPINFO.invokeExact(dupInfo, answers.get(chosen).address());
    FREEINFO.invokeExact(freeInfo, first);
    if (copy == 0) {
      throw new OutOfMemoryError("fi_dupinfo");
    }
    return readInfo(copy);
  }

  private void fillHints(long info, FabricHints hints) {
    writeLong(info + FiInfo.CAPS, hints.capabilities());
    writeLong(info + FiInfo.MODE, FabricChoice.KNOWN_MODES);
    writeLong(readLong(info + FiInfo.TX_ATTR) + FiTxAttr.OP_FLAGS, hints.transmitFlags());
    writeInt(readLong(info + FiInfo.EP_ATTR) + FiEpAttr.TYPE, FabricConstants.FI_EP_RDM);
    long domain = readLong(info + FiInfo.DOMAIN_ATTR);
    writeInt(domain + FiDomainAttr.THREADING, FabricConstants.FI_THREAD_DOMAIN);
    writeInt(domain + FiDomainAttr.DATA_PROGRESS, hints.dataProgress());
    writeInt(domain + FiDomainAttr.MR_MODE, hints.memoryModeBits());
    // fi_freeinfo frees the name, so the name must come from malloc
    long name = libc.duplicate(hints.provider());
    writeLong(readLong(info + FiInfo.FABRIC_ATTR) + FiFabricAttr.PROV_NAME, name);
  }

  private int getInfo(
      MemorySegment node, MemorySegment service, long flags, long hints, MemorySegment out) {
    try {
      int api = Math.min(version, TESTED_VERSION);
      return (int) GETINFO.invokeExact(getInfo, api, node, service, flags, hints, out);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  private static MemorySegment string(Arena arena, @Nullable String text) {
    return text == null ? MemorySegment.NULL : arena.allocateFrom(text);
  }

  /** Reads a native answer, and leaves the answer to its owner. */
  static FabricInfo readInfo(long info) {
    long domain = readLong(info + FiInfo.DOMAIN_ATTR);
    long fabricAttributes = readLong(info + FiInfo.FABRIC_ATTR);
    String fabric = readString(readLong(fabricAttributes + FiFabricAttr.NAME));
    FabricLimits limits =
        FabricLimits.of(
            fabric,
            readLong(readLong(info + FiInfo.TX_ATTR) + FiTxAttr.SIZE),
            readLong(readLong(info + FiInfo.RX_ATTR) + FiRxAttr.SIZE),
            readLong(readLong(info + FiInfo.EP_ATTR) + FiEpAttr.MAX_MSG_SIZE),
            linkBytes(readLong(info + FiInfo.NIC)));
    MemoryMode memory =
        new MemoryMode(
            readInt(domain + FiDomainAttr.MR_MODE),
            readLong(domain + FiDomainAttr.MR_KEY_SIZE),
            readLong(domain + FiDomainAttr.CQ_DATA_SIZE));
    return new FabricInfo(
        info,
        readString(readLong(fabricAttributes + FiFabricAttr.PROV_NAME)),
        fabric,
        readLong(info + FiInfo.MODE),
        readInt(info + FiInfo.ADDR_FORMAT),
        limits,
        memory);
  }

  /** Returns the largest transfer of the link of a NIC; 0 if the provider does not tell. */
  private static long linkBytes(long nic) {
    long link = nic == 0 ? 0 : readLong(nic + FidNic.LINK_ATTR);
    return link == 0 ? 0 : readLong(link + FiLinkAttr.MTU);
  }

  @Override
  public void release(FabricInfo info) {
    try {
      FREEINFO.invokeExact(freeInfo, info.address());
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public long openFabric(FabricInfo info) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      long attributes = readLong(info.address() + FiInfo.FABRIC_ATTR);
      int rc = (int) FABRIC.invokeExact(fabric, attributes, out, 0L);
      return rc == 0 ? out.get(JAVA_LONG, 0) : rc;
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public long openDomain(long fabric, FabricInfo info) {
    long table = readLong(fabric + FidFabric.OPS);
    return open(function(table, FiOpsFabric.DOMAIN), fabric, info.address());
  }

  @Override
  public long openEventQueue(long fabric) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(FiEqAttr.SIZEOF, Long.BYTES);
      attributes.set(JAVA_INT, FiEqAttr.WAIT_OBJ, FabricConstants.FI_WAIT_NONE);
      long table = readLong(fabric + FidFabric.OPS);
      return open(function(table, FiOpsFabric.EQ_OPEN), fabric, attributes.address());
    }
  }

  @Override
  public long openAddressVector(long domain, int addresses) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(FiAvAttr.SIZEOF, Long.BYTES);
      attributes.set(JAVA_INT, FiAvAttr.TYPE, FabricConstants.FI_AV_TABLE);
      attributes.set(JAVA_LONG, FiAvAttr.COUNT, addresses);
      long table = readLong(domain + FidDomain.OPS);
      return open(function(table, FiOpsDomain.AV_OPEN), domain, attributes.address());
    }
  }

  @Override
  public long openCompletionQueue(long domain, int entries) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(FiCqAttr.SIZEOF, Long.BYTES);
      attributes.set(JAVA_LONG, FiCqAttr.SIZE, entries);
      attributes.set(JAVA_INT, FiCqAttr.FORMAT, FabricConstants.FI_CQ_FORMAT_DATA);
      attributes.set(JAVA_INT, FiCqAttr.WAIT_OBJ, FabricConstants.FI_WAIT_NONE);
      long table = readLong(domain + FidDomain.OPS);
      return open(function(table, FiOpsDomain.CQ_OPEN), domain, attributes.address());
    }
  }

  @Override
  public long openEndpoint(long domain, FabricInfo info) {
    MemorySegment call = function(readLong(domain + FidDomain.OPS), FiOpsDomain.ENDPOINT);
    return signals.guard(() -> open(call, domain, info.address()));
  }

  private static long open(MemorySegment call, long parent, long attributes) {
    if (call.address() == 0) {
      return -FabricErrno.FI_ENOSYS;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      int rc = (int) OPEN.invokeExact(call, parent, attributes, out, 0L);
      return rc == 0 ? out.get(JAVA_LONG, 0) : rc;
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public int bind(long object, long to, long flags) {
    try {
      MemorySegment call = function(readLong(object + Fid.OPS), FiOps.BIND);
      return (int) BIND.invokeExact(call, object, to, flags);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public int deviceRetries(long endpoint, long retries) {
    MemorySegment call = function(readLong(endpoint + FidEp.OPS), FiOpsEp.SETOPT);
    if (call.address() == 0) {
      return -FabricErrno.FI_ENOSYS;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocateFrom(JAVA_LONG, retries);
      return (int)
          SETOPT.invokeExact(
              call,
              endpoint,
              FabricConstants.FI_OPT_ENDPOINT,
              FabricConstants.FI_OPT_EFA_RNR_RETRY,
              value,
              (long) Long.BYTES);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public int enable(long object) {
    MemorySegment call = function(readLong(object + Fid.OPS), FiOps.CONTROL);
    return (int) signals.guard(() -> control(call, object, FabricConstants.FI_ENABLE));
  }

  private static int control(MemorySegment call, long object, int command) {
    try {
      return (int) CONTROL.invokeExact(call, object, command, 0L);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public int close(long object) {
    try {
      MemorySegment call = function(readLong(object + Fid.OPS), FiOps.CLOSE);
      return (int) CLOSE.invokeExact(call, object);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public byte[] localAddress(long endpoint) throws FabricException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(ADDRESS_BYTES, Long.BYTES);
      MemorySegment length = arena.allocateFrom(JAVA_LONG, ADDRESS_BYTES);
      MemorySegment call = function(readLong(endpoint + FidEp.CM), FiOpsCm.GETNAME);
      int rc = (int) GETNAME.invokeExact(call, endpoint, buffer, length);
      if (rc != 0) {
        throw new FabricException("fi_getname", -rc, errorText(rc));
      }
      return buffer.asSlice(0, length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
    } catch (FabricException e) {
      throw e;
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public long insertAddress(long addressVector, byte[] address) {
    if (address.length >= ADDRESS_BYTES) {
      return -FabricErrno.FI_EINVAL;
    }
    try (Arena arena = Arena.ofConfined()) {
      // zeroed and longer than any address: no read goes past the end of a short address
      MemorySegment buffer = arena.allocate(ADDRESS_BYTES, Long.BYTES);
      MemorySegment.copy(address, 0, buffer, JAVA_BYTE, 0, address.length);
      MemorySegment out = arena.allocate(JAVA_LONG);
      MemorySegment call = function(readLong(addressVector + FidAv.OPS), FiOpsAv.INSERT);
      int rc = (int) AV_INSERT.invokeExact(call, addressVector, buffer, 1L, out, 0L, 0L);
      if (rc == 1) {
        return out.get(JAVA_LONG, 0);
      }
      return rc < 0 ? rc : -FabricErrno.FI_EINVAL;
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public int removeAddress(long addressVector, long address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment call = function(readLong(addressVector + FidAv.OPS), FiOpsAv.REMOVE);
      MemorySegment one = arena.allocateFrom(JAVA_LONG, address);
      return (int) AV_REMOVE.invokeExact(call, addressVector, one, 1L, 0L);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public long registerMemory(long domain, long address, long bytes, long access, long key) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      MemorySegment call = function(readLong(domain + FidDomain.MR), FiOpsMr.REG);
      int rc = (int) MR_REG.invokeExact(call, domain, address, bytes, access, 0L, key, 0L, out, 0L);
      return rc == 0 ? out.get(JAVA_LONG, 0) : rc;
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public long remoteKey(long region) {
    return readLong(region + FidMr.KEY);
  }

  @Override
  public long descriptor(long region) {
    return readLong(region + FidMr.MEM_DESC);
  }

  @Override
  public FabricVerbs verbs(long endpoint, long completionQueue, long eventQueue)
      throws FabricException {
    return PanamaVerbs.of(endpoint, completionQueue, eventQueue);
  }
}
