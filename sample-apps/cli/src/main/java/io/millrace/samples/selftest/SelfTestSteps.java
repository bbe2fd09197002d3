package io.millrace.samples.selftest;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The checks themselves. Each wait has a limit; all turns are on the calling thread. */
final class SelfTestSteps implements AutoCloseable {
  private static final String LIBRARY_FACT = "library";
  private static final String PROVIDER_FACT = "provider";
  private static final Pattern EMULATING = Pattern.compile("libfabric 1\\.(\\d|1[0-7])");
  private static final long SECOND_NS = 1_000_000_000L;
  private static final int SMALL_BYTES = 1 << 20;
  private static final long LARGE_BYTES = 64L << 20;
  private static final int PART_BYTES = 64 << 10;
  private static final int MESSAGE_BYTES = 64;
  private static final int WARM_UP = 500;
  private static final int ROUND_TRIPS = 2_000;
  private static final long WORD = 0x4D69_6C6C_7261_6365L;
  private static final long IMMEDIATE = 0x1234_5678L;
  private static final long PAGE_BYTES = 4_096;

  private final DriverProvider driver;
  private final InetSocketAddress bind;
  private final long limitNs;
  private final long rateNs;
  private final Arena arena = Arena.ofShared();
  private SequencedMap<String, String> facts = new LinkedHashMap<>();
  private @Nullable LoopPair pair;
  private @Nullable MemoryRegion source;
  private @Nullable MemoryRegion target;

  /** A check. */
  interface Step {
    /** Runs the check; an exception is a failure, too. */
    Finding run() throws DriverException;
  }

  private SelfTestSteps(DriverProvider driver, InetSocketAddress bind, SelfTest.Times times) {
    this.driver = driver;
    this.bind = bind;
    this.limitNs = times.answer().toNanos();
    this.rateNs = times.rate().toNanos();
  }

  /** Hands the checks to {@code runner}, in order. */
  static void run(
      DriverProvider driver,
      InetSocketAddress bind,
      SelfTest.Times times,
      BiConsumer<Check, Step> runner) {
    try (SelfTestSteps steps = new SelfTestSteps(driver, bind, times)) {
      runner.accept(Check.LIBRARY, steps::library);
      runner.accept(Check.PROVIDER, steps::provider);
      runner.accept(Check.LOCKED_MEMORY, steps::lockedMemory);
      runner.accept(Check.SHARED_MEMORY, steps::sharedMemory);
      runner.accept(Check.OPEN, steps::open);
      runner.accept(Check.MESSAGE, steps::message);
      runner.accept(Check.REGISTER_SMALL, steps::registerSmall);
      runner.accept(Check.REGISTER_LARGE, steps::registerLarge);
      runner.accept(Check.WRITE, steps::write);
      runner.accept(Check.IMMEDIATE, steps::writeWithImmediate);
      runner.accept(Check.STALE_KEY, steps::staleKey);
      runner.accept(Check.ROUND_TRIP, steps::roundTrip);
      runner.accept(
          Check.BANDWIDTH_SMALL, () -> steps.bandwidth(Check.BANDWIDTH_SMALL, PART_BYTES));
      runner.accept(
          Check.BANDWIDTH_LARGE, () -> steps.bandwidth(Check.BANDWIDTH_LARGE, SMALL_BYTES));
      runner.accept(Check.CLOSE, steps::closeEndpoints);
    }
  }

  private Finding library() {
    facts = driver.facts();
    String library = facts.get(LIBRARY_FACT);
    if (library != null) {
      boolean emulates = isNamed("efa") && EMULATING.matcher(library).matches();
      return Finding.ok(
          Check.LIBRARY, emulates ? library + "; EFA writes are emulated before 1.18" : library);
    }
    return switch (driver.probe()) {
      case DriverAvailability.Unavailable unavailable ->
          Finding.failed(Check.LIBRARY, unavailable.reason());
      case DriverAvailability.Available _ -> Finding.ok(Check.LIBRARY, "the driver needs none");
    };
  }

  private Finding provider() {
    return switch (driver.probe()) {
      case DriverAvailability.Unavailable unavailable ->
          Finding.failed(Check.PROVIDER, unavailable.reason());
      case DriverAvailability.Available _ -> {
        SequencedMap<String, String> told = new LinkedHashMap<>(facts);
        told.remove(LIBRARY_FACT);
        yield Finding.ok(Check.PROVIDER, facts.getOrDefault(PROVIDER_FACT, driver.name()))
            .with(told);
      }
    };
  }

  private Finding lockedMemory() {
    return HostLimits.lockedMemory(isNamed("efa") || isNamed("verbs") || isNamed("psm"));
  }

  private Finding sharedMemory() {
    return HostLimits.sharedMemory(isNamed("shm"));
  }

  private boolean isNamed(String provider) {
    return driver.name().equals(provider) || driver.name().startsWith("fabric:" + provider);
  }

  private Finding open() throws DriverException {
    long startNs = System.nanoTime();
    Endpoint endpoint = driver.open(EndpointSettings.defaults(bind));
    long openNs = System.nanoTime() - startNs;
    endpoint.close();
    long closeNs = System.nanoTime() - startNs - openNs;
    pair = LoopPair.open(driver, bind);
    return Finding.ok(Check.OPEN, "opened in " + time(openNs) + ", closed in " + time(closeNs))
        .with("open_ns", openNs)
        .with("close_ns", closeNs);
  }

  private Finding message() {
    LoopPair loop = pair();
    int before = loop.near.received;
    long startNs = System.nanoTime();
    boolean arrived = sendAndWait(loop, WORD, before);
    long tookNs = System.nanoTime() - startNs;
    if (!arrived) {
      return Finding.failed(Check.MESSAGE, "64 bytes did not come back within " + time(limitNs));
    }
    boolean isWhole = loop.near.lastWord == WORD && loop.near.lastBytes == MESSAGE_BYTES;
    return isWhole
        ? Finding.ok(Check.MESSAGE, "there and back, first time " + time(tookNs))
            .with("first_round_trip_ns", tookNs)
        : Finding.failed(Check.MESSAGE, "other bytes came back");
  }

  /** Sends a message and waits for its return; a driver without delivery may lose the message. */
  private boolean sendAndWait(LoopPair loop, long word, int before) {
    for (int attempt = 0; attempt < 3; attempt++) {
      loop.turnUntil(() -> loop.near.send(word, MESSAGE_BYTES), limitNs / 3);
      if (loop.turnUntil(() -> loop.near.received > before, limitNs / 3)) {
        return true;
      }
    }
    return false;
  }

  private Finding registerSmall() throws DriverException {
    if (!pair().near.endpoint.capabilities().oneSided()) {
      return Finding.skipped(Check.REGISTER_SMALL, "the driver has no one-sided writes");
    }
    MemorySegment from = arena.allocate(SMALL_BYTES, PAGE_BYTES);
    // the first registration of a JVM loads classes
    pair().near.memory().deregister(pair().near.memory().register(from, false));
    for (long i = 0; i < SMALL_BYTES; i += Long.BYTES) {
      from.set(ValueLayout.JAVA_LONG, i, WORD ^ i);
    }
    long startNs = System.nanoTime();
    source = pair().near.memory().register(from, false);
    long tookNs = System.nanoTime() - startNs;
    MemorySegment into = arena.allocate(SMALL_BYTES, PAGE_BYTES);
    target = pair().far.memory().register(into, true);
    return registered(Check.REGISTER_SMALL, tookNs);
  }

  private Finding registerLarge() throws DriverException {
    if (source == null) {
      return Finding.skipped(Check.REGISTER_LARGE, "the driver has no one-sided writes");
    }
    MemorySegment memory = arena.allocate(LARGE_BYTES, PAGE_BYTES);
    long startNs = System.nanoTime();
    MemoryRegion region = pair().far.memory().register(memory, true);
    long tookNs = System.nanoTime() - startNs;
    pair().far.memory().deregister(region);
    return registered(Check.REGISTER_LARGE, tookNs);
  }

  private static Finding registered(Check check, long tookNs) {
    return Finding.ok(check, "in " + time(tookNs)).with("register_ns", tookNs);
  }

  private Finding write() {
    Arrive arrive = writeAndWait(pair(), whole());
    if (arrive.status() != CompletionHandler.STATUS_OK) {
      return Finding.failed(Check.WRITE, "1 MiB " + arrive.inWords());
    }
    boolean atOnce = isWritten();
    if (!atOnce && !pair().turnUntil(this::isWritten, limitNs)) {
      return Finding.failed(Check.WRITE, "1 MiB completed, and the target has other bytes");
    }
    return Finding.ok(
        Check.WRITE,
        "1 MiB, all bytes compared; "
            + (atOnce ? "in place at the completion" : "in place some time after the completion"));
  }

  private boolean isWritten() {
    return region(source).memory().mismatch(region(target).memory()) < 0;
  }

  private RemoteWrite whole() {
    return part(region(source), region(target), SMALL_BYTES);
  }

  private static RemoteWrite part(MemoryRegion from, MemoryRegion to, long bytes) {
    return new RemoteWrite().source(from, 0, bytes).target(to.remoteBase(), to.remoteKey());
  }

  /** The fate of a write. */
  private record Arrive(boolean isPosted, boolean isComplete, int status) {
    String inWords() {
      if (!isPosted) {
        return "never left: the queue stays full";
      }
      if (!isComplete) {
        return "never completed";
      }
      return switch (status) {
        case CompletionHandler.STATUS_OK -> "completed";
        case CompletionHandler.STATUS_REMOTE_ACCESS -> "refused: no access at the target";
        case CompletionHandler.STATUS_UNREACHABLE -> "failed: the destination is gone";
        default -> "failed";
      };
    }
  }

  private Arrive writeAndWait(LoopPair loop, RemoteWrite write) {
    loop.near.forgetStatus();
    boolean isPosted = loop.turnUntil(() -> loop.near.write(write), limitNs);
    boolean isComplete = isPosted && loop.turnUntil(loop.near::hasStatus, limitNs);
    return new Arrive(isPosted, isComplete, loop.near.lastStatus);
  }

  private Finding writeWithImmediate() {
    LoopPair loop = pair();
    int before = loop.far.immediates;
    Arrive arrive = writeAndWait(loop, whole().immediate(IMMEDIATE));
    if (arrive.status() != CompletionHandler.STATUS_OK) {
      return Finding.failed(Check.IMMEDIATE, arrive.inWords());
    }
    if (!loop.turnUntil(() -> loop.far.immediates > before, limitNs)) {
      return Finding.failed(Check.IMMEDIATE, "the target was told nothing");
    }
    return loop.far.lastImmediate == IMMEDIATE
        ? Finding.ok(Check.IMMEDIATE, "the target was told the value")
        : Finding.failed(Check.IMMEDIATE, "the target was told another value");
  }

  /** Endpoints of their own: some providers drop the connection of a refused write. */
  private Finding staleKey() throws DriverException {
    MemorySegment from = arena.allocate(PART_BYTES, PAGE_BYTES).fill((byte) 7);
    MemorySegment into = arena.allocate(PART_BYTES, PAGE_BYTES);
    try (LoopPair loop = LoopPair.open(driver, bind)) {
      MemoryRegion near = loop.near.memory().register(from, false);
      MemoryRegion stale = loop.far.memory().register(into, true);
      RemoteWrite write = part(near, stale, MESSAGE_BYTES);
      Arrive valid = writeAndWait(loop, write);
      if (valid.status() != CompletionHandler.STATUS_OK) {
        return Finding.failed(Check.STALE_KEY, "with the valid key: " + valid.inWords());
      }
      loop.turnUntil(() -> into.get(ValueLayout.JAVA_BYTE, 0) != 0, limitNs);
      loop.far.memory().deregister(stale);
      into.fill((byte) 0);
      Arrive arrive = writeAndWait(loop, write);
      loop.turnUntil(() -> into.get(ValueLayout.JAVA_BYTE, 0) != 0, rateNs);
      boolean isUntouched = into.mismatch(arena.allocate(PART_BYTES)) < 0;
      return isUntouched
          ? Finding.ok(Check.STALE_KEY, arrive.inWords() + "; nothing was written")
          : Finding.failed(Check.STALE_KEY, arrive.inWords() + "; the bytes were written");
    } catch (DriverException e) {
      return Finding.failed(
          Check.STALE_KEY, "not checked, for want of endpoints: " + e.getMessage());
    }
  }

  private Finding roundTrip() {
    LoopPair loop = pair();
    long[] timesNs = new long[ROUND_TRIPS];
    int count = -WARM_UP;
    long beganNs = System.nanoTime();
    while (count < ROUND_TRIPS && System.nanoTime() - beganNs < 2 * SECOND_NS) {
      int before = loop.near.received;
      long startNs = System.nanoTime();
      if (!sendAndWait(loop, count, before)) {
        return Finding.failed(Check.ROUND_TRIP, "a message did not come back");
      }
      if (count >= 0) {
        timesNs[count] = System.nanoTime() - startNs;
      }
      count++;
    }
    if (count <= 0) {
      return Finding.failed(Check.ROUND_TRIP, "too slow to measure");
    }
    Arrays.sort(timesNs, 0, count);
    long p50 = timesNs[count / 2];
    long p99 = timesNs[(int) (count * 0.99)];
    return Finding.ok(
            Check.ROUND_TRIP, "p50 " + time(p50) + ", p99 " + time(p99) + ", " + count + " times")
        .with("p50_ns", p50)
        .with("p99_ns", p99)
        .with("round_trips", count);
  }

  private Finding bandwidth(Check check, int bytes) {
    LoopPair loop = pair();
    RemoteWrite write = part(region(source), region(target), bytes);
    int window = Math.max(4, SMALL_BYTES / bytes);
    int first = loop.near.writesComplete + loop.near.writesFailed;
    int failedBefore = loop.near.writesFailed;
    int posted = 0;
    long startNs = System.nanoTime();
    while (System.nanoTime() - startNs < rateNs) {
      int done = loop.near.writesComplete + loop.near.writesFailed - first;
      if (posted - done < window && loop.near.write(write)) {
        posted++;
      } else {
        loop.turn();
      }
    }
    int expected = first + posted;
    boolean isDone =
        loop.turnUntil(
            () -> loop.near.writesComplete + loop.near.writesFailed == expected, limitNs);
    long tookNs = System.nanoTime() - startNs;
    if (!isDone || loop.near.writesFailed > failedBefore) {
      return Finding.failed(
          check, isDone ? "a write failed" : "a write never completed, of " + posted);
    }
    long rate = Math.round((double) posted * bytes * SECOND_NS / tookNs);
    return Finding.ok(check, rate / 1_000_000 + " MB/s, " + window + " under way")
        .with("bytes_per_s", rate)
        .with("writes", posted);
  }

  private Finding closeEndpoints() {
    long startNs = System.nanoTime();
    pair().close();
    pair = null;
    return Finding.ok(Check.CLOSE, "in " + time(System.nanoTime() - startNs));
  }

  private LoopPair pair() {
    return Objects.requireNonNull(pair, "the endpoints are open");
  }

  private static MemoryRegion region(@Nullable MemoryRegion region) {
    return Objects.requireNonNull(region, "the region is registered");
  }

  private static String time(long ns) {
    return ns < 1_000_000
        ? String.format(Locale.ROOT, "%.1f us", ns / 1e3)
        : String.format(Locale.ROOT, "%.1f ms", ns / 1e6);
  }

  /** Closes what the checks left open, and frees the memory of the regions. */
  @Override
  public void close() {
    if (pair != null) {
      pair.close();
    }
    arena.close();
  }
}
