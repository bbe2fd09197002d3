package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Measures one-sided writes by the SPI beside {@code twin.c}, which does the same by libfabric
 * alone: rounds of both by turns, and the median of each figure in a table.
 *
 * <p>Arguments: the providers. Runs in the folder of the module, and wants gcc and libfabric's
 * headers. {@code TWIN_ADDRESS} in the environment names the address of the NIC instead of
 * loopback.
 */
final class TwinMain {
  private static final int ROUNDS = 15;
  private static final int WARM_UP_ROUNDS = 4;
  private static final long PAUSE_NS = 1_000_000;
  private static final Path SOURCE = Path.of("src", "test", "c", "twin.c");
  private static final Path TWIN = Path.of("target", "native", "twin");
  private static final TwinRound.Counts COUNTS =
      new TwinRound.Counts(2_000, List.of(2_000, 1_000, 100));

  /** Shared memory is faster; a round takes about as long. */
  private static final TwinRound.Counts MORE =
      new TwinRound.Counts(20_000, List.of(8_000, 2_000, 200));

  private static final String FAR = "far";
  private static final Path LOAD = Path.of("/proc/loadavg");

  private TwinMain() {}

  public static void main(String[] args) throws Exception {
    if (args.length > 0 && args[0].equals(FAR)) {
      farEnd(args);
      return;
    }
    compile();
    System.out.println(
        "| provider, ends | round trip p50: C, SPI, difference (us) | p90: C, SPI (us) "
            + "| processor time of a round trip: C, SPI (us) "
            + "| bytes a second at 8 KiB, 64 KiB, 1 MiB, SPI to C (C in MB/s) "
            + "| bytes a second of processor time, SPI to C | B an operation | load |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    for (String provider : args) {
      compare(provider, "one", () -> oneThread(provider));
      twoProcesses(provider);
    }
  }

  private static TwinRound.Counts counts(String provider) {
    return provider.startsWith("shm") ? MORE : COUNTS;
  }

  private static void compile() throws Exception {
    Files.createDirectories(TWIN.getParent());
    int exitCode =
        new ProcessBuilder(
                "gcc",
                "-std=gnu11",
                "-O2",
                SOURCE.toString(),
                "-o",
                TWIN.toString(),
                "-lfabric",
                "-lpthread")
            .inheritIO()
            .start()
            .waitFor();
    if (exitCode != 0) {
      throw new IllegalStateException("twin.c does not compile here");
    }
  }

  /** Each round has ends of its own: the pages of a region are faster or slower by chance. */
  private static TwinRound oneThread(String provider) {
    try (Arena arena = Arena.ofShared();
        TwinSide near = new TwinSide(provider, arena);
        TwinSide far = new TwinSide(provider, arena)) {
      near.meet(far.place());
      far.meet(near.place());
      return TwinRound.measure(near, far, counts(provider));
    } catch (DriverException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void twoProcesses(String provider) throws Exception {
    try (Arena arena = Arena.ofShared();
        TwinSide near = new TwinSide(provider, arena);
        ChildJvm child = startFar(provider, near.place())) {
      near.meet(place(near, Objects.requireNonNull(child.readLine()).split(" ", -1), 0));
      compare(
          provider,
          "two",
          () -> {
            TwinRound round = TwinRound.measure(near, near, counts(provider));
            near.tell(TwinSide.PAUSE);
            return round;
          });
      near.tell(TwinSide.STOP);
      child.exitCode();
    }
  }

  private static ChildJvm startFar(String provider, TwinSide.Place place) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(FAR, provider));
    arguments.addAll(List.of(words(place).split(" ", -1)));
    return ChildJvm.start(
        TwinMain.class, new File("."), List.of(), arguments.toArray(String[]::new));
  }

  private static void farEnd(String[] args) throws Exception {
    try (Arena arena = Arena.ofShared();
        TwinSide far = new TwinSide(args[1], arena)) {
      far.meet(place(far, args, 2));
      System.out.println(words(far.place()));
      while (!far.isStopped()) {
        far.serve();
        if (far.isPaused()) {
          // the processor belongs to the twin meanwhile
          LockSupport.parkNanos(PAUSE_NS);
        }
      }
    }
  }

  private static String words(TwinSide.Place place) {
    String address = HexFormat.of().formatHex(place.address().bytes());
    return address + " " + place.base() + " " + place.key();
  }

  private static TwinSide.Place place(TwinSide side, String[] words, int from) {
    String family = side.place().address().family();
    byte[] address = HexFormat.of().parseHex(words[from]);
    return new TwinSide.Place(
        new EndpointAddress(family, address),
        Long.parseLong(words[from + 1]),
        Long.parseLong(words[from + 2]));
  }

  private static void compare(String provider, String ends, Supplier<TwinRound> measure)
      throws Exception {
    List<TwinRound> spi = new ArrayList<>();
    List<TwinRound> twin = new ArrayList<>();
    for (int i = -WARM_UP_ROUNDS; i < ROUNDS; i++) {
      TwinRound round = measure.get();
      if (i >= 0) {
        spi.add(round);
        twin.add(runTwin(provider, ends));
      }
    }
    print(provider + ", " + ends, TwinRound.median(twin), TwinRound.median(spi));
  }

  private static TwinRound runTwin(String provider, String ends) throws Exception {
    List<String> command = new ArrayList<>(List.of(TWIN.toString(), provider, ends));
    command.addAll(List.of(counts(provider).arguments().split(" ", -1)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the twin has failed");
    }
    return TwinRound.parse(line);
  }

  private static void print(String name, TwinRound twin, TwinRound spi) throws IOException {
    StringBuilder rates = new StringBuilder();
    StringBuilder costs = new StringBuilder();
    for (int i = 0; i < TwinRound.LENGTHS.size(); i++) {
      String separator = i == 0 ? "" : ", ";
      double rate = twin.rates().get(i);
      rates.append(
          String.format(
              Locale.ROOT,
              "%s%.0f %% (%.0f)",
              separator,
              100 * spi.rates().get(i) / rate,
              rate / 1e6));
      costs.append(
          String.format(
              Locale.ROOT,
              "%s%.0f %%",
              separator,
              100 * twin.writeCpuNs().get(i) / spi.writeCpuNs().get(i)));
    }
    String load = Files.exists(LOAD) ? Files.readString(LOAD).split(" ", -1)[0] : "unknown";
    System.out.printf(
        Locale.ROOT,
        "| `%s` | %.2f, %.2f, %+.2f | %.2f, %.2f | %.2f, %.2f | %s | %s | %.2f | %s |%n",
        name,
        twin.p50Ns() / 1e3,
        spi.p50Ns() / 1e3,
        (spi.p50Ns() - twin.p50Ns()) / 1e3,
        twin.p90Ns() / 1e3,
        spi.p90Ns() / 1e3,
        twin.roundTripCpuNs() / 1e3,
        spi.roundTripCpuNs() / 1e3,
        rates,
        costs,
        spi.allocated(),
        load);
  }
}
