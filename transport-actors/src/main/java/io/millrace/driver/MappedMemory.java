package io.millrace.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Native memory of zeros that costs nothing until the first touch: on Linux an anonymous private
 * mapping, whose pages the kernel gives, zeroed, page by page. {@code Arena.allocate} would write
 * zeros into all pages first. Elsewhere, and for less than {@value #LEAST_BYTES} bytes, the memory
 * is the arena's own. Any thread.
 */
public final class MappedMemory {
  /** Smaller memory is not worth a mapping, of which a process may have 65,530. */
  static final long LEAST_BYTES = 64 << 10;

  /** Mappings begin at pages; this is the smallest page. */
  private static final long PAGE_BYTES = 4_096;

  private static final int READ_AND_WRITE = 3;
  private static final int DONT_NEED = 4;
  private static final int PRIVATE_AND_ANONYMOUS = 0x22;
  private static final int NO_FILE = -1;
  private static final long FAILED = -1;

  private MappedMemory() {}

  /**
   * Takes memory that lives as long as the arena.
   *
   * @param arena the arena of the threads that use the memory
   * @param alignmentBytes a power of two, of at most a page
   * @throws OutOfMemoryError if the system has no more
   * @throws IllegalStateException if the arena is closed
   */
  public static MemorySegment map(Arena arena, long bytes, long alignmentBytes) {
    if (bytes < LEAST_BYTES || alignmentBytes > PAGE_BYTES || Calls.MAP == null) {
      return arena.allocate(bytes, alignmentBytes);
    }
    long address = Calls.map(bytes);
    if (address == FAILED) {
      throw new OutOfMemoryError("the system maps no " + bytes + " bytes");
    }
    return within(arena, address, bytes);
  }

  /**
   * Gives the pages that lie wholly within a part of mapped memory back to the system; the next
   * touch finds zeros. Nothing happens where the memory is the arena's own, or where the system
   * keeps its pages (locked ones). Does not allocate.
   *
   * @param memory a whole segment of {@link #map}, registered with no device; nobody reads or
   *     writes the part meanwhile, or wants its bytes again
   * @param from where the part begins, bytes
   * @param to the end of the part, bytes
   */
  public static void giveBack(MemorySegment memory, long from, long to) {
    if (memory.byteSize() < LEAST_BYTES || Calls.MAP == null || Calls.ADVISE == null) {
      return;
    }
    // The system rounds up to its own pages, which may be larger: bytes beyond the range would be
    // lost.
    long first = (memory.address() + from + Calls.PAGE - 1) & -Calls.PAGE;
    long end = (memory.address() + to) & -Calls.PAGE;
    if (first < end) {
      Calls.advise(first, end - first);
    }
  }

  @SuppressWarnings("restricted") // the memory was mapped with this size, and nobody else has the
  // memory
  private static MemorySegment within(Arena arena, long address, long bytes) {
    MemorySegment mapped = MemorySegment.ofAddress(address).reinterpret(bytes);
    try {
      return mapped.reinterpret(arena, Calls::unmap);
    } catch (IllegalStateException | WrongThreadException e) {
      // The arena is closed, or another thread's.
      Calls.unmap(mapped);
      throw e;
    }
  }

  /** The C library's functions; resolved when first needed. */
  private static final class Calls {
    static final @Nullable MethodHandle MAP;
    static final @Nullable MethodHandle UNMAP;
    static final @Nullable MethodHandle ADVISE;

    /** The system's page, bytes. */
    static final long PAGE;

    static {
      MethodHandle map = null;
      MethodHandle unmap = null;
      MethodHandle advise = null;
      long page = PAGE_BYTES;
      try {
        if (System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux")) {
          page = pageBytes();
          unmap =
              bind(
                  "munmap",
                  FunctionDescriptor.of(
                      ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
          advise =
              bind(
                  "madvise",
                  FunctionDescriptor.of(
                      ValueLayout.JAVA_INT,
                      ValueLayout.JAVA_LONG,
                      ValueLayout.JAVA_LONG,
                      ValueLayout.JAVA_INT));
          map =
              bind(
                  "mmap",
                  FunctionDescriptor.of(
                      ValueLayout.JAVA_LONG,
                      ValueLayout.JAVA_LONG,
                      ValueLayout.JAVA_LONG,
                      ValueLayout.JAVA_INT,
                      ValueLayout.JAVA_INT,
                      ValueLayout.JAVA_INT,
                      ValueLayout.JAVA_LONG));
        }
      } catch (RuntimeException | LinkageError e) {
        // Native access is denied: code that needs the access says so. Memory is available all the
        // same.
        map = null;
      }
      MAP = map;
      UNMAP = unmap;
      ADVISE = advise;
      PAGE = page;
    }

    @SuppressWarnings("restricted") // the signatures are from the C library's manual
    private static MethodHandle bind(String name, FunctionDescriptor signature) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
    }

    private static long pageBytes() {
      try {
        return (int) bind("getpagesize", FunctionDescriptor.of(ValueLayout.JAVA_INT)).invokeExact();
      } catch (RuntimeException | LinkageError e) {
        throw e;
      } catch (Throwable e) {
        throw new AssertionError("a C function cannot throw", e);
      }
    }

    static long map(long bytes) {
      try {
        assert MAP != null;
        return (long)
            MAP.invokeExact(0L, bytes, READ_AND_WRITE, PRIVATE_AND_ANONYMOUS, NO_FILE, 0L);
      } catch (Throwable e) {
        throw new AssertionError("a C function cannot throw", e);
      }
    }

    /** Pages that the system refuses to take back stay resident. */
    static void advise(long address, long bytes) {
      try {
        assert ADVISE != null;
        int _ = (int) ADVISE.invokeExact(address, bytes, DONT_NEED);
      } catch (Throwable e) {
        throw new AssertionError("a C function cannot throw", e);
      }
    }

    static void unmap(MemorySegment memory) {
      try {
        assert UNMAP != null;
        int result = (int) UNMAP.invokeExact(memory.address(), memory.byteSize());
        assert result == 0 : "munmap";
      } catch (Throwable e) {
        throw new AssertionError("a C function cannot throw", e);
      }
    }
  }
}
