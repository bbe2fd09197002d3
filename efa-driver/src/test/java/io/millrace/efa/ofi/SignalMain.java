package io.millrace.efa.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.efa.FabricDrivers;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The other process of {@link SignalSurvivalTest}: opens endpoints of a provider, compares the
 * handlers of all signals with the handlers from before, and runs compiled code into null pointers,
 * which the JVM notices by SIGSEGV.
 */
final class SignalMain {
  private static final int COMPILED_AFTER = 2_000_000;
  private static final int SIGNALS = 31;
  private static final long ACTION_BYTES = 256;

  private SignalMain() {}

  /** An object with a field. */
  private static final class Box {
    int value;
  }

  public static void main(String[] args) throws Throwable {
    List<Long> before = handlers();
    List<Endpoint> endpoints = new ArrayList<>();
    endpoints.add(open(args[0]));
    endpoints.add(open(args[0]));
    System.out.println(before.equals(handlers()) ? "handlers kept" : "handlers replaced");
    System.out.println("IPATH_NO_BACKTRACE=" + environment("IPATH_NO_BACKTRACE"));
    System.out.println("survived " + runIntoNullPointers());
    endpoints.forEach(Endpoint::close);
  }

  private static Endpoint open(String name) throws DriverException {
    DriverProvider provider = FabricDrivers.provider(name);
    return provider.open(
        EndpointSettings.defaults(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
  }

  private static List<Long> handlers() {
    LibC libc = new PanamaLibC();
    List<Long> handlers = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment action = arena.allocate(ACTION_BYTES, 16);
      for (int signal = 1; signal <= SIGNALS; signal++) {
        libc.signalAction(signal, 0, action.address());
        handlers.add(action.get(JAVA_LONG, 0));
      }
    }
    return handlers;
  }

  @SuppressWarnings("restricted") // getenv, because System.getenv ignores setenv
  private static String environment(String name) throws Throwable {
    Linker linker = Linker.nativeLinker();
    try (Arena arena = Arena.ofConfined()) {
      long value =
          (long)
              linker
                  .downcallHandle(
                      linker.defaultLookup().findOrThrow("getenv"),
                      FunctionDescriptor.of(JAVA_LONG, ADDRESS))
                  .invokeExact(arena.allocateFrom(name));
      return NativeMemory.readString(value);
    }
  }

  private static int runIntoNullPointers() {
    Box box = new Box();
    long sum = 0;
    for (int i = 0; i < COMPILED_AFTER; i++) {
      sum += read(box);
    }
    int survived = 0;
    for (int i = 0; i < 3; i++) {
      try {
        sum += read(null);
      } catch (NullPointerException e) {
        survived++;
      }
    }
    return sum == 0 ? survived : -1;
  }

  @SuppressWarnings("NullAway") // the null pointer is the purpose of the test
  private static int read(@Nullable Box box) {
    return box.value;
  }
}
