package io.millrace.efa.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@link LibC} through Panama. */
final class PanamaLibC implements LibC {
  private static final MethodHandle SETENV =
      handle("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
  private static final MethodHandle SIGACTION =
      handle("sigaction", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle STRDUP =
      handle("strdup", FunctionDescriptor.of(JAVA_LONG, ADDRESS));

  @SuppressWarnings("restricted") // three C functions with the signatures of their man pages
  private static MethodHandle handle(String name, FunctionDescriptor signature) {
    Linker linker = Linker.nativeLinker();
    MemorySegment function = linker.defaultLookup().find(name).orElseThrow();
    return linker.downcallHandle(function, signature);
  }

  @Override
  public void setEnvironment(String name, String value, boolean overwrite) {
    try (Arena arena = Arena.ofConfined()) {
      int rc =
          (int)
              SETENV.invokeExact(
                  arena.allocateFrom(name), arena.allocateFrom(value), overwrite ? 1 : 0);
      if (rc != 0) {
        throw new IllegalStateException("setenv " + name + " failed");
      }
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public int signalAction(int signal, long newAction, long oldAction) {
    try {
      return (int) SIGACTION.invokeExact(signal, newAction, oldAction);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public long duplicate(String text) {
    try (Arena arena = Arena.ofConfined()) {
      return (long) STRDUP.invokeExact(arena.allocateFrom(text));
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }
}
