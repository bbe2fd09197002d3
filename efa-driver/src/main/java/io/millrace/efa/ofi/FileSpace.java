package io.millrace.efa.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.function.IntSupplier;

/**
 * Takes the space of a sparse file from its file system, on Linux. The first touch of mapped memory
 * without space ends a process by SIGBUS.
 */
public final class FileSpace {
  /** {@code O_RDWR | O_CLOEXEC} of Linux. */
  private static final int FLAGS = 0x80002;

  private static final int EINTR = 4;

  /** The most attempts of a call that signals interrupt. */
  private static final int ATTEMPTS = 1_000;

  private static final MethodHandle OPEN =
      handle("open", new MemoryLayout[] {ADDRESS, JAVA_INT}, Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FALLOCATE =
      handle("posix_fallocate", new MemoryLayout[] {JAVA_INT, JAVA_LONG, JAVA_LONG});
  private static final MethodHandle CLOSE = handle("close", new MemoryLayout[] {JAVA_INT});
  private static final MethodHandle USER = handle("geteuid", new MemoryLayout[0]);

  private FileSpace() {}

  @SuppressWarnings("restricted") // four C functions with the signatures of their man pages
  private static MethodHandle handle(
      String name, MemoryLayout[] arguments, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(JAVA_INT, arguments),
        options);
  }

  /**
   * Gives the first {@code bytes} of {@code file} their space; the contents stay.
   *
   * @return 0; -1 if the file cannot be opened; or the error number of {@code posix_fallocate}, for
   *     example of a full file system
   */
  public static int reserve(Path file, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      int descriptor = (int) OPEN.invokeExact(arena.allocateFrom(file.toString()), FLAGS);
      if (descriptor < 0) {
        return -1;
      }
      int rc = uninterrupted(() -> allocate(descriptor, bytes));
      int closed = (int) CLOSE.invokeExact(descriptor);
      return rc == 0 ? closed : rc;
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  private static int allocate(int descriptor, long bytes) {
    try {
      return (int) FALLOCATE.invokeExact(descriptor, 0L, bytes);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  /** Repeats a call that a signal has interrupted, a bounded number of times. */
  static int uninterrupted(IntSupplier call) {
    int rc = call.getAsInt();
    for (int i = 1; i < ATTEMPTS && rc == EINTR; i++) {
      rc = call.getAsInt();
    }
    return rc;
  }

  /** Returns the number of this process's user, as files show the number of their owner. */
  public static int user() {
    try {
      return (int) USER.invokeExact();
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }
}
