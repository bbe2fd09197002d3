package io.millrace.udp.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The C library through the foreign function interface. No call is critical, so no call can hold up
 * a safepoint. One instance per endpoint, because the instance owns the memory for the captured
 * errno.
 */
final class FfmLibc implements Libc {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup SYMBOLS = LINKER.defaultLookup();
  private static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");
  private static final VarHandle ERRNO =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle SOCKET =
      bind("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle BIND =
      bind("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
  private static final MethodHandle CONNECT =
      bind("connect", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
  private static final MethodHandle CLOSE =
      bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle SETSOCKOPT =
      bind(
          "setsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
  private static final MethodHandle GETSOCKOPT =
      bind(
          "getsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle GETSOCKNAME =
      bind("getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle SENDMMSG =
      bind("sendmmsg", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
  private static final MethodHandle SENDTO =
      bind(
          "sendto",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
  private static final MethodHandle RECVMMSG =
      bind(
          "recvmmsg",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle RECVMSG =
      bind("recvmsg", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));

  // From an automatic arena: memory of a shared arena would count references on every call.
  private final MemorySegment captured =
      Arena.ofAuto().allocate(Linker.Option.captureStateLayout());

  @SuppressWarnings("restricted") // descriptors as in the C library's manual
  private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(SYMBOLS.findOrThrow(name), descriptor, CAPTURE_ERRNO);
  }

  private int result(int returned) {
    return returned >= 0 ? returned : -(int) ERRNO.get(captured, 0L);
  }

  private static AssertionError unexpected(Throwable thrown) {
    return new AssertionError("a downcall threw", thrown);
  }

  @Override
  public int socket(int domain, int type, int protocol) {
    try {
      return result((int) SOCKET.invokeExact(captured, domain, type, protocol));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @Override
  public int bind(int fd, long address, int addressBytes) {
    try {
      return result((int) BIND.invokeExact(captured, fd, address, addressBytes));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @Override
  public int connect(int fd, long address, int addressBytes) {
    try {
      return result((int) CONNECT.invokeExact(captured, fd, address, addressBytes));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @Override
  public int close(int fd) {
    try {
      return result((int) CLOSE.invokeExact(captured, fd));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @Override
  public int setsockopt(int fd, int level, int option, long value, int valueBytes) {
    try {
      return result((int) SETSOCKOPT.invokeExact(captured, fd, level, option, value, valueBytes));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @Override
  public int getsockopt(int fd, int level, int option, long value, long valueBytes) {
    try {
      return result((int) GETSOCKOPT.invokeExact(captured, fd, level, option, value, valueBytes));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @Override
  public int getsockname(int fd, long address, long addressBytes) {
    try {
      return result((int) GETSOCKNAME.invokeExact(captured, fd, address, addressBytes));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @Override
  public int sendmmsg(int fd, long messages, int count, int flags) {
    try {
      return result((int) SENDMMSG.invokeExact(captured, fd, messages, count, flags));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @Override
  public long sendto(int fd, long message, long bytes, int flags, long address, int addressBytes) {
    try {
      long returned =
          (long) SENDTO.invokeExact(captured, fd, message, bytes, flags, address, addressBytes);
      return returned >= 0 ? returned : result(-1);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @Override
  public int recvmmsg(int fd, long messages, int count, int flags) {
    try {
      return result((int) RECVMMSG.invokeExact(captured, fd, messages, count, flags, 0L));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @Override
  public long recvmsg(int fd, long message, int flags) {
    try {
      long returned = (long) RECVMSG.invokeExact(captured, fd, message, flags);
      return returned >= 0 ? returned : result(-1);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }
}
