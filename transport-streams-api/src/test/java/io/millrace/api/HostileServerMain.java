package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.config.TransportSettings;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.RouteId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.apache.pekko.stream.javadsl.Source;

/**
 * The node under attack in {@link HostilePeerSoakTest}. The arguments are the files of its
 * certificate. For each line of input the node prints its resources, and the process ends with its
 * input.
 */
final class HostileServerMain {
  /** The route of calls answered at once. */
  static final RouteId ECHO = RouteId.of("echo");

  /**
   * The route of calls answered after {@value #LATER_MS} ms; a header makes its code break the
   * engine's contracts.
   */
  static final RouteId LATER = RouteId.of("later");

  /**
   * The route of calls answered after {@value #SLOW_MS} ms; the handler holds the request until
   * then.
   */
  static final RouteId SLOW = RouteId.of("slow");

  /** The route of calls never answered. */
  static final RouteId HOLD = RouteId.of("hold");

  /** A call with this header makes the acceptor throw an error. */
  static final String BOOM = "boom";

  /** A call with this header gets a stage that calls back again and again. */
  static final String TWICE = "twice";

  /** The number of places for peers: fewer than an attacker wants. */
  static final int PLACES = 24;

  private static final int LATER_MS = 20;
  private static final int SLOW_MS = 3_000;

  /** All budgets together are a part of 256 MiB. */
  private static final String BUDGETS =
      """
      millrace {
        workers.count = 2
        limits { peers = %d, request-budget = 32 MiB, answer-budget = 16 MiB, inline-budget = 16 MiB }
        limits { executor-queue = 8192, inline-credit = 512 KiB }
        transfers { message = 2 MiB, assembly = 24 MiB, assembly-per-peer = 8 MiB }
        transfers { buffer-pool = 16 MiB, buffer-pool-per-peer = 4 MiB, broadcast-pool = 1 MiB }
        streams { budget = 16 MiB, per-peer = 4 MiB }
        regions.counts = [64, 16]
        causality.max-slots = 8192
        events.log = off
      }
      """
          .formatted(PLACES);

  private HostileServerMain() {}

  public static void main(String[] args) throws IOException {
    try (Transport server = Transport.start(certified(args[0], args[1], args[2], BUDGETS))) {
      serve(server);
      System.out.println(
          "workers "
              + server.snapshot().workers().stream()
                  .map(HostileServerMain::port)
                  .map(String::valueOf)
                  .collect(Collectors.joining(" ")));
      System.out.println("address " + server.address());
      BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
      while (lines.readLine() != null) {
        System.out.println("holds " + held(server));
      }
    }
  }

  /** Returns the settings of a node with this certificate. */
  static TransportSettings certified(
      String authorities, String certificate, String key, String overrides) {
    return TwoNodes.settings(
        """
        millrace.handshake {
          provider = tls
          tls { authorities = "%s", certificate = "%s", key = "%s" }
        }
        """
                .formatted(authorities, certificate, key)
            + overrides);
  }

  private static int port(WorkerSnapshot worker) {
    byte[] address = worker.address().bytes();
    return new SegmentBuffer(address).getShort(4, ByteOrder.BIG_ENDIAN) & 0xFFFF;
  }

  private static void serve(Transport server) {
    Raw.serve(server, ECHO, call -> CompletableFuture.completedFuture(echo(call)));
    Raw.serve(
        server,
        LATER,
        offer -> {
          if (offer.headers().text(BOOM).isPresent()) {
            throw new StackOverflowError("planted");
          }
        },
        call ->
            call.headers().length == 0
                ? new CompletableFuture<UnaryResponse>()
                    .completeOnTimeout(echo(call), LATER_MS, TimeUnit.MILLISECONDS)
                : new Repeating(echo(call)));
    Raw.serve(
        server,
        SLOW,
        call ->
            new Holding(call)
                .completeOnTimeout(
                    UnaryResponse.of(Arrays.copyOf(call.payload(), Long.BYTES)),
                    SLOW_MS,
                    TimeUnit.MILLISECONDS));
    Raw.serve(server, HOLD, call -> new Holding(call));
    Raw.serveStreamingResponse(
        server, HOLD, call -> Raw.StreamingResponse.of(Source.<byte[]>maybe()));
  }

  private static UnaryResponse echo(ExecutorHandler.UnaryCall call) {
    return UnaryResponse.of(call.payload());
  }

  /**
   * Returns the live bytes of the heap, resident bytes, bytes of requests, peers and faults of
   * handlers.
   */
  private static String held(Transport server) throws IOException {
    System.gc();
    long liveBytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    Path status = Path.of("/proc/self/statm");
    int page = 4_096;
    long residentBytes =
        Files.exists(status)
            ? page * Long.parseLong(Files.readString(status).split(" ", -1)[1])
            : 0;
    return liveBytes
        + " "
        + residentBytes
        + " "
        + server.pool().census().requestBytes()
        + " "
        + server.snapshot().handlerFaults();
  }

  /** A future answer with a handler that keeps the request. */
  private static final class Holding extends CompletableFuture<UnaryResponse> {
    private final ExecutorHandler.UnaryCall held;

    Holding(ExecutorHandler.UnaryCall held) {
      this.held = held;
    }

    @Override
    public String toString() {
      return "holds " + held.payload().length;
    }
  }

  /** A stage that calls back twice at once and once more later, against its contract. */
  @SuppressWarnings("NullAway") // a successful stage calls back with a null failure
  private static final class Repeating extends CompletableFuture<UnaryResponse> {
    private final UnaryResponse answer;

    Repeating(UnaryResponse answer) {
      this.answer = answer;
    }

    @Override
    public CompletableFuture<UnaryResponse> whenComplete(
        BiConsumer<? super UnaryResponse, ? super Throwable> action) {
      action.accept(answer, null);
      action.accept(answer, null);
      CompletableFuture.delayedExecutor(LATER_MS, TimeUnit.MILLISECONDS)
          .execute(() -> action.accept(answer, null));
      return this;
    }
  }
}
