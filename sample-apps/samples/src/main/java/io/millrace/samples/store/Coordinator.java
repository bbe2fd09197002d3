package io.millrace.samples.store;

import io.millrace.api.CallContext;
import io.millrace.api.Registration;
import io.millrace.api.Transport;
import io.millrace.samples.store.StoreRoutes.Answer;
import io.millrace.samples.store.StoreRoutes.Complete;
import io.millrace.samples.store.StoreRoutes.Done;
import io.millrace.samples.store.StoreRoutes.Drop;
import io.millrace.samples.store.StoreRoutes.Found;
import io.millrace.samples.store.StoreRoutes.Heartbeat;
import io.millrace.samples.store.StoreRoutes.Listing;
import io.millrace.samples.store.StoreRoutes.Named;
import io.millrace.samples.store.StoreRoutes.Register;
import io.millrace.samples.store.StoreRoutes.Request;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Knows the holders of all artifacts and hands out claims; no byte of an artifact passes through
 * the coordinator. All its state is in its database, so a coordinator may restart, or move to
 * another node with the same database. Handlers run on the transport's executor, and may wait there
 * for the database.
 */
public final class Coordinator implements AutoCloseable {
  private final Database database;
  private final ArtifactTable artifacts;
  private final ClaimTable claims;
  private final InstantSource clock;
  private final List<Registration> routes = new ArrayList<>();

  private Coordinator(CoordinatorSettings settings, InstantSource clock) throws SQLException {
    database = Database.open(settings.databaseUrl(), StoreSchema.TABLES);
    long heartbeatLimitMs = settings.heartbeatLimit().toMillis();
    artifacts = new ArtifactTable(database, heartbeatLimitMs);
    claims =
        new ClaimTable(database, settings.order(), settings.lease().toMillis(), heartbeatLimitMs);
    this.clock = clock;
  }

  /**
   * Opens the database and serves the coordinator's routes on a node, until a call of {@link
   * #close}.
   *
   * @throws SQLException if the database cannot be opened
   * @throws IllegalArgumentException if the node serves such a route already
   */
  public static Coordinator serve(
      Transport transport, CoordinatorSettings settings, InstantSource clock) throws SQLException {
    Coordinator coordinator = new Coordinator(settings, clock);
    try {
      coordinator.begin(transport);
      return coordinator;
    } catch (RuntimeException | Error e) {
      coordinator.close();
      throw e;
    }
  }

  private void begin(Transport transport) {
    routes.add(transport.serve(StoreRoutes.REGISTER, this::register));
    routes.add(transport.serve(StoreRoutes.HEARTBEAT, this::heartbeat));
    routes.add(transport.serve(StoreRoutes.DROP, this::drop));
    routes.add(transport.serve(StoreRoutes.REQUEST, this::request));
    routes.add(transport.serve(StoreRoutes.COMPLETE, this::complete));
    routes.add(transport.serve(StoreRoutes.RESOLVE, this::resolve));
    routes.add(transport.serve(StoreRoutes.MANIFEST, this::manifest));
    routes.add(transport.serve(StoreRoutes.LIST, this::list));
  }

  /**
   * The handshake proves the host of a daemon's address; no daemon may name another daemon's
   * address.
   */
  private static void requireItself(String daemon, CallContext context) throws NotItselfException {
    if (!daemon.equals(context.identity().address())) {
      throw new NotItselfException(context.identity(), daemon);
    }
  }

  private CompletionStage<Done> register(Register replica, CallContext context)
      throws SQLException, NotItselfException {
    requireItself(replica.daemon(), context);
    return done(artifacts.register(replica, clock.millis()));
  }

  private CompletionStage<Done> heartbeat(Heartbeat beat, CallContext context)
      throws SQLException, NotItselfException {
    requireItself(beat.daemon(), context);
    long nowMs = clock.millis();
    boolean isKnown = artifacts.heartbeat(beat, nowMs);
    for (String transport : beat.transports()) {
      claims.renew(transport, beat.daemon(), nowMs);
    }
    return done(isKnown);
  }

  private CompletionStage<Done> drop(Drop dropped, CallContext context)
      throws SQLException, NotItselfException {
    requireItself(dropped.daemon(), context);
    artifacts.drop(dropped, clock.millis());
    return done(true);
  }

  private CompletionStage<Answer> request(Request request, CallContext context)
      throws SQLException, NotItselfException {
    requireItself(request.target(), context);
    return CompletableFuture.completedFuture(
        new Answer(claims.claim(request, clock.millis()).orElse(null)));
  }

  private CompletionStage<Done> complete(Complete ended, CallContext context) throws SQLException {
    return done(claims.complete(ended));
  }

  private CompletionStage<Found> resolve(Named key, CallContext context) throws SQLException {
    return CompletableFuture.completedFuture(new Found(artifacts.resolve(key.name()).orElse(null)));
  }

  private CompletionStage<Manifest> manifest(Named artifact, CallContext context)
      throws SQLException, StoreException {
    return CompletableFuture.completedFuture(
        artifacts
            .manifest(artifact.name())
            .orElseThrow(() -> new StoreException("no artifact " + artifact.name())));
  }

  private CompletionStage<Listing> list(Named all, CallContext context) throws SQLException {
    return CompletableFuture.completedFuture(new Listing(artifacts.list(clock.millis())));
  }

  private static CompletionStage<Done> done(boolean isKnown) {
    return CompletableFuture.completedFuture(new Done(isKnown));
  }

  /** Serves no more; the transport stays. */
  @Override
  public void close() {
    routes.forEach(Registration::close);
    database.close();
  }
}
