package io.millrace.efa.ofi;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads libfabric, once per name and process, and never unloads the library. Any thread, control
 * plane.
 *
 * <p>The property {@value #LIBRARY_PROPERTY} names a library in place of the system's library.
 */
public final class LibFabricLoader {
  /** System property: name or path of the library to load. */
  public static final String LIBRARY_PROPERTY = "millrace.fabric.library";

  private static final Map<String, Loaded> LOADED = new ConcurrentHashMap<>();

  private LibFabricLoader() {}

  /** The outcome of loading. */
  public sealed interface Loaded {
    /** The library is loaded. */
    record Present(LibFabric library) implements Loaded {}

    /** The library is missing; {@code reason} is one sentence for people. */
    record Missing(String reason) implements Loaded {}
  }

  /** Loads the library named by the property, or the system's library. */
  public static Loaded load() {
    String name = System.getProperty(LIBRARY_PROPERTY);
    return LOADED.computeIfAbsent(
        name == null ? "" : name, key -> load(key.isEmpty() ? systemNames() : List.of(key)));
  }

  private static List<String> systemNames() {
    if (System.getProperty("os.name", "").startsWith("Mac")) {
      return List.of(
          "/opt/homebrew/lib/libfabric.1.dylib",
          "/usr/local/lib/libfabric.1.dylib",
          "libfabric.1.dylib");
    }
    return List.of("libfabric.so.1");
  }

  private static Loaded load(List<String> names) {
    LibC libc = new PanamaLibC();
    SignalGuard signals = new SignalGuard(libc);
    prepareEnvironment(libc);
    String failure = "";
    for (String name : names) {
      try {
        LibFabric[] library = new LibFabric[1];
        signals.guard(
            () -> {
              library[0] = new PanamaLibFabric(open(name), libc, signals);
              return 0;
            });
        return new Loaded.Present(library[0]);
      } catch (IllegalArgumentException e) {
        failure = String.valueOf(e.getMessage());
      } catch (NoSuchElementException e) {
        return new Loaded.Missing(name + " is not a libfabric: " + e.getMessage());
      }
    }
    return new Loaded.Missing(
        "libfabric could not be loaded (" + failure + "): install it (Debian: libfabric1)");
  }

  /**
   * Sets environment variables, which must happen before the library is loaded: constructors and
   * providers read the variables once.
   */
  private static void prepareEnvironment(LibC libc) {
    // a library in a few builds takes over SIGSEGV in its constructor without this variable
    libc.setEnvironment("IPATH_NO_BACKTRACE", "1", true);
    libc.setEnvironment("HFI_NO_BACKTRACE", "1", true);
    // inside a host the efa provider would use shm, which does not check keys
    libc.setEnvironment("FI_EFA_ENABLE_SHM_TRANSFER", "0", false);
    // with the cache, closing a region before 2.3 leaves its key alive
    libc.setEnvironment("FI_EFA_MR_CACHE_ENABLE", "0", false);
  }

  @SuppressWarnings("restricted") // the class exists to load libfabric
  private static SymbolLookup open(String name) {
    return SymbolLookup.libraryLookup(name, Arena.global());
  }
}
