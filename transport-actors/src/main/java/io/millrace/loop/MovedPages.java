package io.millrace.loop;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of memory pages, and moving pages, by Linux's {@code move_pages}; elsewhere nothing is
 * done and the reason is told. The call leaves no policy behind with the addresses, which are used
 * for other purposes after the memory was freed.
 *
 * <p>Nothing here throws for want of a permission or a platform.
 */
final class MovedPages {
  /** The smallest page of any supported system; asking twice about a larger page does no harm. */
  private static final int PAGE_BYTES = 4_096;

  private static final long THIS_PROCESS = 0;
  private static final long MOVE_OWN = 2;
  private static final int EPERM = 1;
  private static final int ENODEV = 19;

  private MovedPages() {}

  /** Moves pages from other nodes to this node. */
  static NodeMemory.Placing move(MemorySegment memory, int node) {
    long bytes = memory.byteSize();
    if (Libc.MOVE_PAGES == null) {
      return new NodeMemory.Placing(0, bytes, Libc.MISSING);
    }
    int count = (int) ((bytes + PAGE_BYTES - 1) / PAGE_BYTES);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pages = arena.allocate(ValueLayout.JAVA_LONG, count);
      MemorySegment nodes = arena.allocate(ValueLayout.JAVA_INT, count);
      MemorySegment where = arena.allocate(ValueLayout.JAVA_INT, count);
      for (int i = 0; i < count; i++) {
        pages.setAtIndex(ValueLayout.JAVA_LONG, i, memory.address() + (long) i * PAGE_BYTES);
        nodes.setAtIndex(ValueLayout.JAVA_INT, i, node);
      }
      String refusal = call(arena, count, pages, MemorySegment.NULL, where);
      if (refusal == null && on(node, where, count) < count) {
        refusal = call(arena, count, pages, nodes, where);
        String unread = call(arena, count, pages, MemorySegment.NULL, where);
        refusal = refusal == null ? unread : refusal;
      }
      long local = Math.min(bytes, (long) on(node, where, count) * PAGE_BYTES);
      return new NodeMemory.Placing(local, bytes - local, local == bytes ? null : refusal);
    }
  }

  private static int on(int node, MemorySegment where, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      found += where.getAtIndex(ValueLayout.JAVA_INT, i) == node ? 1 : 0;
    }
    return found;
  }

  /** Returns null, or the reason of the refusal. Pages that could not be moved are no refusal. */
  private static @Nullable String call(
      Arena arena, int count, MemorySegment pages, MemorySegment nodes, MemorySegment where) {
    where.fill((byte) -1);
    MemorySegment errno = arena.allocate(Libc.CALL_STATE);
    return Libc.movePages(errno, count, pages, nodes, where) >= 0 ? null : reason(errno);
  }

  private static String reason(MemorySegment callState) {
    int errno = callState.get(ValueLayout.JAVA_INT, Libc.ERRNO_OFFSET);
    return switch (errno) {
      case EPERM -> "not permitted to move memory between nodes";
      case ENODEV -> "the memory node is not online";
      default -> "move_pages failed with errno " + errno;
    };
  }

  /** The C library's function; resolved when first needed. */
  private static final class Libc {
    static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    static final long ERRNO_OFFSET =
        CALL_STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final long NUMBER = number();

    /** Why nothing here works, or null. */
    static final @Nullable String MISSING;

    static final @Nullable MethodHandle MOVE_PAGES;

    static {
      MethodHandle bound = null;
      String missing = null;
      if (NUMBER < 0) {
        missing = "memory cannot be placed on this system";
      } else {
        try {
          bound = bind();
        } catch (RuntimeException | LinkageError e) {
          missing = "the C library cannot be called: " + e.getMessage();
        }
      }
      MOVE_PAGES = bound;
      MISSING = missing;
    }

    private static long number() {
      if (!NativeCalls.isLinux()) {
        return -1;
      }
      return switch (System.getProperty("os.arch", "")) {
        case "amd64" -> 279;
        case "aarch64" -> 239;
        default -> -1;
      };
    }

    private static MethodHandle bind() {
      FunctionDescriptor signature =
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG);
      return NativeCalls.bind(
          "syscall",
          signature,
          Linker.Option.firstVariadicArg(1),
          Linker.Option.captureCallState("errno"));
    }

    static long movePages(
        MemorySegment errno,
        long count,
        MemorySegment pages,
        MemorySegment nodes,
        MemorySegment where) {
      try {
        assert MOVE_PAGES != null;
        return (long)
            MOVE_PAGES.invokeExact(
                errno, NUMBER, THIS_PROCESS, count, pages, nodes, where, MOVE_OWN);
      } catch (Throwable e) {
        throw NativeCalls.unexpected(e);
      }
    }
  }
}
