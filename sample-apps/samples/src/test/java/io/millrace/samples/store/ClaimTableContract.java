package io.millrace.samples.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.store.StoreRoutes.Complete;
import io.millrace.samples.store.StoreRoutes.Drop;
import io.millrace.samples.store.StoreRoutes.Heartbeat;
import io.millrace.samples.store.StoreRoutes.Holder;
import io.millrace.samples.store.StoreRoutes.Register;
import io.millrace.samples.store.StoreRoutes.Request;
import io.millrace.samples.store.StoreRoutes.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The behaviour of claims on every database for the coordinator. */
@Timeout(60)
abstract class ClaimTableContract {
  private static final long LEASE_MS = 1_000;
  private static final long HEARTBEAT_LIMIT_MS = 500;
  private static final Manifest MANIFEST = Manifest.of(10, 16, List.of("ab".repeat(32)));
  private static final String ARTIFACT = MANIFEST.id();
  private static final int CLAIMERS = 100;

  private Database database;
  private ArtifactTable artifacts;
  private ClaimTable claims;
  private long nowMs = 1_000_000;

  abstract String url();

  @BeforeEach
  void open() throws SQLException {
    database = Database.open(url(), StoreSchema.TABLES);
    for (String table : List.of("workers", "artifacts", "artifact_keys", "replicas", "claims")) {
      database.transaction(connection -> Database.update(connection, "DELETE FROM " + table));
    }
    artifacts = new ArtifactTable(database, HEARTBEAT_LIMIT_MS);
    claims = table(ClaimOrder.KIND_THEN_LIMIT);
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private ClaimTable table(ClaimOrder order) {
    return new ClaimTable(database, order, LEASE_MS, HEARTBEAT_LIMIT_MS);
  }

  private static Register replica(String daemon, MemoryKind kind, int maxConcurrency) {
    return new Register(
        "publication of " + daemon + kind,
        daemon,
        "model",
        MANIFEST,
        kind,
        KeyedRanges.ofChunks("key of " + daemon, MANIFEST),
        maxConcurrency);
  }

  private static Drop drop(String daemon) {
    Register dropped = replica(daemon, MemoryKind.RAM, 1);
    return new Drop(dropped.publishId(), daemon, ARTIFACT, MemoryKind.RAM);
  }

  private void register(String daemon, MemoryKind kind, int maxConcurrency) throws SQLException {
    artifacts.register(replica(daemon, kind, maxConcurrency), nowMs);
  }

  private Optional<Session> claim(String target, String... notFrom) throws SQLException {
    return claims.claim(new Request(ARTIFACT, target, List.of(notFrom)), nowMs);
  }

  private String claimed(String target) throws SQLException {
    return claim(target).map(Session::daemon).orElse("none");
  }

  private int reads(String daemon) throws SQLException {
    return artifacts.list(nowMs).getFirst().holders().stream()
        .filter(holder -> holder.daemon().equals(daemon))
        .mapToInt(Holder::reads)
        .sum();
  }

  @Test
  void shouldNeverPassTheLimitWhateverTheCrowd() throws Exception {
    register("a", MemoryKind.RAM, 3);
    register("b", MemoryKind.RAM, 4);
    AtomicInteger open = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<Integer>> all = new ArrayList<>();
    try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CLAIMERS; i++) {
        String target = "target " + i;
        Callable<Integer> one =
            () -> {
              Optional<Session> session = claim(target);
              if (session.isEmpty()) {
                return 0;
              }
              most.accumulateAndGet(open.incrementAndGet(), Math::max);
              Thread.yield();
              open.decrementAndGet();
              assertTrue(claims.complete(done(session.get())));
              return 1;
            };
        all.add(crowd.submit(one));
      }
    }
    int granted = 0;
    for (Future<Integer> each : all) {
      granted += each.get();
    }
    assertTrue(granted >= 7, granted + " granted");
    assertTrue(most.get() <= 7, most + " at once");
    assertEquals(0, reads("a") + reads("b"));
  }

  @Test
  void shouldGrantExactlyAsManyAsTheLimitsAllowToACrowdThatKeepsThem() throws Exception {
    register("a", MemoryKind.RAM, 3);
    register("b", MemoryKind.DISK, 4);
    List<Future<Boolean>> all = new ArrayList<>();
    try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CLAIMERS; i++) {
        String target = "target " + i;
        all.add(crowd.submit(() -> claim(target).isPresent()));
      }
    }
    int granted = 0;
    for (Future<Boolean> each : all) {
      granted += each.get() ? 1 : 0;
    }
    assertEquals(7, granted);
    assertEquals(3, reads("a"));
    assertEquals(4, reads("b"));
  }

  private static Complete done(Session session) {
    return new Complete(session.transport(), false);
  }

  @Test
  void shouldOfferNobodyWhoMayNotServe() throws SQLException {
    assertEquals("none", claimed("t"), "nobody has it");
    register("a", MemoryKind.RAM, 1);
    assertEquals("none", claimed("a"), "the only source is the target itself");
    assertEquals(Optional.empty(), claim("t", "a"), "it was excluded");
    artifacts.heartbeat(new Heartbeat("a", false, false, List.of()), nowMs);
    assertEquals("none", claimed("t"), "it does not accept requests");
    artifacts.heartbeat(new Heartbeat("a", true, true, List.of()), nowMs);
    assertEquals("none", claimed("t"), "it has left");
    artifacts.heartbeat(new Heartbeat("a", true, false, List.of()), nowMs);
    nowMs += HEARTBEAT_LIMIT_MS;
    assertEquals("none", claimed("t"), "it was silent for too long");
    artifacts.heartbeat(new Heartbeat("a", true, false, List.of()), nowMs);
    artifacts.drop(drop("a"), nowMs);
    assertEquals("none", claimed("t"), "it has dropped the replica");
    register("a", MemoryKind.RAM, 1);
    assertEquals("a", claimed("t"));
    assertEquals("none", claimed("u"), "it serves as many as it may");
  }

  @Test
  void shouldNotOfferWhatIsOnlyKnown() throws SQLException {
    Register known =
        new Register("p", "a", null, MANIFEST, MemoryKind.RAM, new KeyedRanges(List.of()), 1);
    assertTrue(artifacts.register(known, nowMs));
    assertEquals("none", claimed("t"));
    assertEquals(1, artifacts.list(nowMs).getFirst().holders().size());
  }

  @Test
  void shouldPreferFasterMemoryThenTheSmallerLimitThenTheSmallerLoadThenTheOlder()
      throws SQLException {
    register("young", MemoryKind.RAM, 2);
    nowMs--;
    register("old", MemoryKind.RAM, 2);
    register("large", MemoryKind.RAM, 3);
    register("disk", MemoryKind.DISK, 1);
    register("device", MemoryKind.GPU, 1);
    nowMs++;
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      order.add(claimed("t" + i));
    }
    assertEquals(
        List.of("device", "old", "young", "old", "young", "large", "large", "large", "disk"),
        order);
    assertEquals("none", claimed("t9"));
  }

  @Test
  void shouldSpreadLoadWhereTheOtherOrderIsChosen() throws SQLException {
    register("small", MemoryKind.RAM, 2);
    nowMs++;
    register("large", MemoryKind.RAM, 4);
    claims = table(ClaimOrder.KIND_THEN_LOAD);
    List<String> order = List.of(claimed("t"), claimed("u"), claimed("v"), claimed("w"));
    assertEquals(List.of("small", "large", "large", "small"), order);
  }

  @Test
  void shouldEndAClaimOfWhichNobodyHearsAndKeepOneThatIsRenewed() throws SQLException {
    register("a", MemoryKind.RAM, 2);
    Session silent = claim("t").orElseThrow();
    Session renewed = claim("u").orElseThrow();
    nowMs += LEASE_MS - 1;
    assertEquals(0, claims.expire(nowMs));
    assertTrue(claims.renew(renewed.transport(), "u", nowMs));
    assertFalse(claims.renew(silent.transport(), "another", nowMs), "not its claim");
    nowMs += 1;
    assertEquals(1, claims.expire(nowMs));
    assertEquals(1, reads("a"));
    assertFalse(claims.complete(done(silent)), "it has ended");
    assertEquals(1, reads("a"), "and is counted once");
    assertTrue(claims.complete(done(renewed)));
    assertFalse(claims.complete(done(renewed)));
    assertEquals(0, reads("a"));
  }

  @Test
  void shouldKnowOnePublicationOnceAndResolveKeys() throws SQLException {
    assertTrue(artifacts.register(replica("a", MemoryKind.RAM, 1), nowMs));
    assertFalse(artifacts.register(replica("a", MemoryKind.RAM, 1), nowMs));
    artifacts.drop(drop("a"), nowMs);
    assertEquals(Optional.of(ARTIFACT), artifacts.resolve("model"), "though nobody has it");
    assertEquals(Optional.empty(), artifacts.resolve("another"));
    assertEquals(Optional.of(MANIFEST), artifacts.manifest(ARTIFACT));
    assertEquals(Optional.empty(), artifacts.manifest("another"));
  }

  @Test
  void shouldCountWhoGaveWrongBytes() throws SQLException {
    register("a", MemoryKind.RAM, 1);
    Session session = claim("t").orElseThrow();
    claims.complete(new Complete(session.transport(), true));
    assertEquals(1, artifacts.list(nowMs).getFirst().holders().getFirst().corruptReports());
  }

  /** Like a restarted daemon: its readers were cut off, and the daemon may serve fewer readers. */
  @Test
  void shouldEndTheClaimsOfAnEarlierPublication() throws SQLException {
    register("a", MemoryKind.RAM, 3);
    Session first = claim("t").orElseThrow();
    Session second = claim("u").orElseThrow();
    assertTrue(artifacts.register(again("a", 1), nowMs));
    assertEquals(0, reads("a"));
    assertFalse(claims.complete(done(first)), "it ended with its publication");
    assertFalse(claims.renew(second.transport(), "u", nowMs));
    assertEquals("a", claimed("v"));
    assertEquals("none", claimed("w"), "one reader is the limit now");
    assertEquals(1, reads("a"));
  }

  @Test
  void shouldKeepWhatWasLoadedAgainThoughTheEarlierReplicaIsDroppedLate() throws SQLException {
    register("a", MemoryKind.RAM, 1);
    artifacts.register(again("a", 1), nowMs);
    artifacts.drop(drop("a"), nowMs);
    assertEquals("a", claimed("t"));
  }

  private static Register again(String daemon, int maxConcurrency) {
    Register first = replica(daemon, MemoryKind.RAM, maxConcurrency);
    return new Register(
        "another publication",
        daemon,
        first.key(),
        MANIFEST,
        first.kind(),
        first.ranges(),
        maxConcurrency);
  }
}
