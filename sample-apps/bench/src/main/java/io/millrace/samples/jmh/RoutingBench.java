package io.millrace.samples.jmh;

import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.engine.Routes;
import io.millrace.path.call.InboundHandler;
import io.millrace.wire.RouteId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** Several threads look up a route among 1,000 routes, and a peer among 300 peers by address. */
@State(Scope.Benchmark)
public class RoutingBench {
  private static final int ROUTES = 1_000;
  private static final int PEERS = 300;
  private static final int FIRST_PORT = 20_000;

  private final Routes routes = new Routes();
  private final long[] ids = new long[ROUTES];
  private final String[] addresses = new String[PEERS];
  private @Nullable Transport transport;

  /** The place of a thread in the routes and peers. */
  @State(Scope.Thread)
  public static class Reader {
    private int next;
  }

  /** Registers routes, and starts a node that knows the peers. */
  @Setup(Level.Trial)
  public void open() {
    for (int i = 0; i < ROUTES; i++) {
      RouteId route = RouteId.of("route-" + i);
      ids[i] = route.id();
      var _ = routes.add(route, call -> {});
    }
    Transport started =
        Transport.start(
            TransportSettings.parse(
                "millrace.handshake { provider = psk, psk = \"" + "6d".repeat(32) + "\" }"));
    for (int i = 0; i < PEERS; i++) {
      addresses[i] = "127.0.0.1:" + (FIRST_PORT + i);
      var _ = started.peer(addresses[i]);
    }
    transport = started;
  }

  /** Ends the node. */
  @TearDown(Level.Trial)
  public void close() {
    if (transport != null) {
      transport.close();
    }
  }

  /** The handler of a route, by one thread. */
  @Benchmark
  @Threads(1)
  public @Nullable InboundHandler route1(Reader reader) {
    return route(reader);
  }

  /** The handler of a route, by two threads. */
  @Benchmark
  @Threads(2)
  public @Nullable InboundHandler route2(Reader reader) {
    return route(reader);
  }

  /** The handler of a route, by eight threads. */
  @Benchmark
  @Threads(8)
  public @Nullable InboundHandler route8(Reader reader) {
    return route(reader);
  }

  /** A peer, by one thread. */
  @Benchmark
  @Threads(1)
  public Peer peer1(Reader reader) {
    return peer(reader);
  }

  /** A peer, by two threads. */
  @Benchmark
  @Threads(2)
  public Peer peer2(Reader reader) {
    return peer(reader);
  }

  /** A peer, by eight threads. */
  @Benchmark
  @Threads(8)
  public Peer peer8(Reader reader) {
    return peer(reader);
  }

  private @Nullable InboundHandler route(Reader reader) {
    return routes.find(ids[reader.next++ % ROUTES]);
  }

  private Peer peer(Reader reader) {
    return Objects.requireNonNull(transport).peer(addresses[reader.next++ % PEERS]);
  }
}
