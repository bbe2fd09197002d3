package io.millrace.efa;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointSettings;
import io.millrace.efa.ofi.LibFabricLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assumptions;

/**
 * The real libfabric behind a small C library ({@code faults.c}) that fails operations on demand.
 *
 * <p>Endpoints opened by {@link #open} belong to the C library; other endpoints of the process do
 * not. Faults are armed by the endpoint's number ({@link #newestEndpoint}) and the destination's
 * {@code fi_addr_t}, which counts from 0 in each endpoint. A test that runs a whole node starts a
 * child JVM with {@link #option}. Without gcc or libfabric's headers the test is skipped, with
 * {@code MILLRACE_REQUIRE_LIBFABRIC_HEADERS=1} in the environment the test fails.
 */
public final class FaultyFabric implements AutoCloseable {
  /** Each endpoint, each destination. */
  public static final long ANY = -1;

  /** A count of faults without an end. */
  public static final long FOR_EVER = -1;

  private static final Path SOURCE = Path.of("src", "test", "c", "faults.c");
  private static final Path LIBRARY = Path.of("target", "native", "libfaults.so");
  private static final String WANTED = "libfabric's headers and gcc are needed to inject faults";

  private final SymbolLookup symbols;

  /** The kinds of faults, in the order of {@code faults.c}. */
  public enum Fault {
    /** A post answers {@code -FI_EAGAIN}. */
    TRY_AGAIN,
    /** A post is taken, not sent, and completes with {@code FI_ENORX}. */
    NOT_READY,
    /** A post is taken, not sent, and never completes. */
    SILENT,
    /** A registration of memory answers {@code -FI_ENOMEM}; the endpoint must be {@link #ANY}. */
    NO_MEMORY,
    /** A post answers {@code -FI_ECONNREFUSED}. */
    REFUSED
  }

  private FaultyFabric(SymbolLookup symbols) {
    this.symbols = symbols;
  }

  /** Compiles the library where necessary, loads it and disarms all faults. */
  @SuppressWarnings("restricted") // loads the library of the tests
  public static FaultyFabric load() {
    FaultyFabric fabric = new FaultyFabric(SymbolLookup.libraryLookup(library(), Arena.global()));
    fabric.reset();
    return fabric;
  }

  /** Returns the JVM's option that puts the library in place of libfabric. */
  public static String option() {
    return "-D" + LibFabricLoader.LIBRARY_PROPERTY + "=" + library();
  }

  private static synchronized Path library() {
    try {
      boolean isOld =
          !Files.exists(LIBRARY)
              || Files.getLastModifiedTime(LIBRARY).compareTo(Files.getLastModifiedTime(SOURCE))
                  < 0;
      if (isOld) {
        compile();
      }
      return LIBRARY.toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compile() throws IOException {
    Files.createDirectories(LIBRARY.getParent());
    // another test process may compile at the same time
    Path output = Files.createTempFile(LIBRARY.getParent(), "faults", ".so");
    Path messages = Files.createTempFile("faults", ".txt");
    String said;
    try {
      Process gcc =
          new ProcessBuilder(
                  List.of(
                      "gcc",
                      "-std=gnu11",
                      "-O1",
                      "-Wall",
                      "-Wextra",
                      "-Werror",
                      "-shared",
                      "-fPIC",
                      SOURCE.toString(),
                      "-o",
                      output.toString(),
                      "-ldl",
                      "-lpthread"))
              .redirectErrorStream(true)
              .redirectOutput(messages.toFile())
              .start();
      int exitCode = gcc.waitFor();
      said = exitCode == 0 ? "" : exitCode + ": " + Files.readString(messages);
    } catch (IOException e) {
      said = "there is no gcc: " + e.getMessage();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      Files.delete(messages);
    }
    if (said.isEmpty()) {
      Files.move(output, LIBRARY, StandardCopyOption.ATOMIC_MOVE);
      return;
    }
    Files.delete(output);
    giveUp(said);
  }

  private static void giveUp(String reason) {
    boolean isNoHeader = reason.contains("there is no gcc") || reason.contains("rdma/fabric.h: No");
    if (!isNoHeader || "1".equals(System.getenv("MILLRACE_REQUIRE_LIBFABRIC_HEADERS"))) {
      throw new AssertionError(WANTED + ": " + reason);
    }
    System.err.println("SKIPPED: " + WANTED + ": " + reason);
    Assumptions.abort(WANTED);
  }

  /** Opens an endpoint over the library. */
  Peer open(String provider, EndpointSettings settings) throws DriverException {
    return with(() -> Peer.open(provider, settings));
  }

  /** Opens an endpoint over the library with the tests' common settings. */
  Peer open(String provider) throws DriverException {
    return open(provider, Peer.settings());
  }

  /** Runs a task during which drivers load the library. */
  public static <T> T with(Callable<T> task) throws DriverException {
    String before = System.getProperty(LibFabricLoader.LIBRARY_PROPERTY);
    System.setProperty(LibFabricLoader.LIBRARY_PROPERTY, library().toString());
    try {
      return task.call();
    } catch (DriverException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      if (before == null) {
        System.clearProperty(LibFabricLoader.LIBRARY_PROPERTY);
      } else {
        System.setProperty(LibFabricLoader.LIBRARY_PROPERTY, before);
      }
    }
  }

  /** Disarms all faults and forgets all counts. */
  public void reset() {
    try {
      handle("faults_reset", FunctionDescriptor.ofVoid()).invokeExact();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Arms a fault: of the matching posts, {@code skip} pass and the next {@code count} fail.
   *
   * @param endpoint the endpoint's number, or {@link #ANY}
   * @param destination the {@code fi_addr_t}, or {@link #ANY}
   * @param count the number of faults, or {@link #FOR_EVER}
   */
  public void arm(Fault fault, long endpoint, long destination, long skip, long count) {
    int rc;
    try {
      rc =
          (int)
              handle(
                      "faults_arm",
                      FunctionDescriptor.of(
                          JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG))
                  .invokeExact(fault.ordinal(), endpoint, destination, skip, count);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    if (rc != 0) {
      throw new IllegalStateException("too many faults");
    }
  }

  /** Lets each registration from now on lock its memory, as the registration of a device does. */
  public void lockMemory() {
    try {
      handle("faults_pin", FunctionDescriptor.ofVoid(JAVA_INT)).invokeExact(1);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Returns how many faults of a kind took effect since the reset. */
  public long done(Fault fault) {
    try {
      return (long)
          handle("faults_done", FunctionDescriptor.of(JAVA_LONG, JAVA_INT))
              .invokeExact(fault.ordinal());
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the posts of an endpoint to a destination since the reset, with the failed posts. */
  public long posts(long endpoint, long destination) {
    try {
      return (long)
          handle("faults_posts", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG))
              .invokeExact(endpoint, destination);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the number of the endpoint opened last. */
  public long newestEndpoint() {
    return number("faults_endpoints") - 1;
  }

  /** Returns the device's retries that the endpoint opened last asked for, -1 for none. */
  public long deviceRetries() {
    return number("faults_retries");
  }

  private long number(String name) {
    try {
      return (long) handle(name, FunctionDescriptor.of(JAVA_LONG)).invokeExact();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings("restricted") // calls the library of the tests
  private MethodHandle handle(String name, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), type);
  }

  /** Disarms all faults. */
  @Override
  public void close() {
    reset();
  }
}
