package io.millrace.samples.store;

import io.millrace.samples.store.StoreRoutes.Artifact;
import io.millrace.samples.store.StoreRoutes.Drop;
import io.millrace.samples.store.StoreRoutes.Heartbeat;
import io.millrace.samples.store.StoreRoutes.Holder;
import io.millrace.samples.store.StoreRoutes.Register;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The tables of daemons, artifacts with their names, and the holders of replicas. */
final class ArtifactTable {
  private static final int DIGEST_CHARACTERS = 64;

  private final Database database;
  private final long heartbeatLimitMs;

  ArtifactTable(Database database, long heartbeatLimitMs) {
    this.database = database;
    this.heartbeatLimitMs = heartbeatLimitMs;
  }

  /** Notes a replica; returns false if this very publication is known already. */
  boolean register(Register replica, long nowMs) throws SQLException {
    return database.transaction(
        connection -> {
          noteArtifact(connection, replica);
          boolean isNew = noteReplica(connection, replica, nowMs);
          noteHeartbeat(connection, new Heartbeat(replica.daemon(), true, false, List.of()), nowMs);
          return isNew;
        });
  }

  private static void noteArtifact(Connection connection, Register replica) throws SQLException {
    Manifest manifest = replica.manifest();
    String id = manifest.id();
    if (!isThere(connection, "SELECT 1 FROM artifacts WHERE artifact_id = ?", id)) {
      Database.update(
          connection,
          "INSERT INTO artifacts (artifact_id, size_bytes, chunk_bytes, digests)"
              + " VALUES (?, ?, ?, ?)",
          id,
          manifest.sizeBytes(),
          manifest.chunkBytes(),
          String.join("", manifest.digests()));
    }
    String key = replica.key();
    if (key != null
        && Database.update(
                connection, "UPDATE artifact_keys SET artifact_id = ? WHERE name = ?", id, key)
            == 0) {
      Database.update(
          connection, "INSERT INTO artifact_keys (name, artifact_id) VALUES (?, ?)", key, id);
    }
  }

  private static boolean noteReplica(Connection connection, Register replica, long nowMs)
      throws SQLException {
    String id = replica.manifest().id();
    int kind = replica.kind().ordinal();
    if (isThere(
        connection,
        "SELECT 1 FROM replicas WHERE artifact_id = ? AND worker_id = ? AND kind = ?"
            + " AND publish_id = ?",
        id,
        replica.daemon(),
        kind,
        replica.publishId())) {
      return false;
    }
    String ranges = RangesText.of(replica.ranges());
    int count = replica.ranges().ranges().size();
    int changed =
        Database.update(
            connection,
            "UPDATE replicas SET publish_id = ?, ranges = ?, range_count = ?, is_available = TRUE,"
                + " max_concurrency = ?, current_requests = 0, updated_at = ?"
                + " WHERE artifact_id = ? AND worker_id = ? AND kind = ?",
            replica.publishId(),
            ranges,
            count,
            Math.max(1, replica.maxConcurrency()),
            nowMs,
            id,
            replica.daemon(),
            kind);
    if (changed > 0) {
      endClaims(connection, replica);
    } else {
      Database.update(
          connection,
          "INSERT INTO replicas (replica_id, publish_id, artifact_id, worker_id, kind, ranges,"
              + " range_count, is_available, max_concurrency, current_requests, corrupt_reports,"
              + " updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, TRUE, ?, 0, 0, ?)",
          UUID.randomUUID().toString(),
          replica.publishId(),
          id,
          replica.daemon(),
          kind,
          ranges,
          count,
          Math.max(1, replica.maxConcurrency()),
          nowMs);
    }
    return true;
  }

  /**
   * Claims are on a publication and end with the publication: its bytes are gone, or are freed
   * after the last read. The row of the replica is locked by now, so no claim is made meanwhile.
   */
  private static void endClaims(Connection connection, Register replica) throws SQLException {
    Database.update(
        connection,
        "DELETE FROM claims WHERE replica_id IN (SELECT replica_id FROM replicas"
            + " WHERE artifact_id = ? AND worker_id = ? AND kind = ?)",
        replica.manifest().id(),
        replica.daemon(),
        replica.kind().ordinal());
  }

  /**
   * Withdraws the offer of a replica; its claims end as usual. Nothing changes if another
   * publication has taken its place.
   */
  void drop(Drop dropped, long nowMs) throws SQLException {
    database.transaction(
        connection ->
            Database.update(
                connection,
                "UPDATE replicas SET is_available = FALSE, updated_at = ?, publish_id = ''"
                    + " WHERE artifact_id = ? AND worker_id = ? AND kind = ? AND publish_id = ?",
                nowMs,
                dropped.artifact(),
                dropped.daemon(),
                dropped.kind().ordinal(),
                dropped.publishId()));
  }

  /** Notes a heartbeat of a daemon; returns false for a daemon not known before. */
  boolean heartbeat(Heartbeat beat, long nowMs) throws SQLException {
    return database.transaction(connection -> noteHeartbeat(connection, beat, nowMs));
  }

  private static boolean noteHeartbeat(Connection connection, Heartbeat beat, long nowMs)
      throws SQLException {
    int changed =
        Database.update(
            connection,
            "UPDATE workers SET is_accepting = ?, last_heartbeat = ?, inactive_at = NULL"
                + " WHERE worker_id = ?",
            beat.isAccepting(),
            nowMs,
            beat.daemon());
    if (changed == 0) {
      Database.update(
          connection,
          "INSERT INTO workers (worker_id, is_accepting, last_heartbeat) VALUES (?, ?, ?)",
          beat.daemon(),
          beat.isAccepting(),
          nowMs);
    }
    if (beat.isLeaving()) {
      Database.update(
          connection,
          "UPDATE workers SET inactive_at = ? WHERE worker_id = ?",
          nowMs,
          beat.daemon());
      Database.update(
          connection,
          "UPDATE replicas SET is_available = FALSE, updated_at = ?, publish_id = ''"
              + " WHERE worker_id = ?",
          nowMs,
          beat.daemon());
    }
    return changed > 0;
  }

  /** Returns the artifact of a key, with or without a holder. */
  Optional<String> resolve(String key) throws SQLException {
    return database.transaction(
        connection -> {
          List<String> found =
              Database.texts(
                  connection, "SELECT artifact_id FROM artifact_keys WHERE name = ?", key);
          return found.stream().findFirst();
        });
  }

  /** Returns the manifest of an artifact. */
  Optional<Manifest> manifest(String artifact) throws SQLException {
    return database.transaction(
        connection -> {
          try (PreparedStatement statement =
                  Database.prepare(
                      connection,
                      "SELECT size_bytes, chunk_bytes, digests FROM artifacts"
                          + " WHERE artifact_id = ?",
                      artifact);
              ResultSet found = statement.executeQuery()) {
            return found.next()
                ? Optional.of(manifest(artifact, found))
                : Optional.<Manifest>empty();
          }
        });
  }

  private static Manifest manifest(String artifact, ResultSet found) throws SQLException {
    return new Manifest(found.getLong(1), found.getInt(2), digests(found.getString(3)), artifact);
  }

  private static List<String> digests(String text) {
    List<String> digests = new ArrayList<>();
    for (int at = 0; at < text.length(); at += DIGEST_CHARACTERS) {
      digests.add(text.substring(at, at + DIGEST_CHARACTERS));
    }
    return digests;
  }

  /** Returns all artifacts in the order of their ids. */
  List<Artifact> list(long nowMs) throws SQLException {
    return database.transaction(
        connection -> {
          List<Artifact> artifacts = new ArrayList<>();
          try (PreparedStatement statement =
                  Database.prepare(
                      connection, "SELECT artifact_id, size_bytes FROM artifacts ORDER BY 1");
              ResultSet found = statement.executeQuery()) {
            while (found.next()) {
              String id = found.getString(1);
              List<String> keys =
                  Database.texts(
                      connection,
                      "SELECT name FROM artifact_keys WHERE artifact_id = ? ORDER BY 1",
                      id);
              List<Holder> holders = holders(connection, id, nowMs - heartbeatLimitMs);
              artifacts.add(new Artifact(id, found.getLong(2), keys, holders));
            }
          }
          return artifacts;
        });
  }

  private static List<Holder> holders(Connection connection, String artifact, long heardAfterMs)
      throws SQLException {
    String sql =
        """
        SELECT r.worker_id, r.kind, r.range_count, r.current_requests, r.max_concurrency,
          r.corrupt_reports, w.inactive_at IS NULL AND w.last_heartbeat > ?
        FROM replicas r JOIN workers w ON w.worker_id = r.worker_id
        WHERE r.artifact_id = ? AND r.is_available = TRUE ORDER BY r.kind, r.worker_id
        """;
    try (PreparedStatement statement = Database.prepare(connection, sql, heardAfterMs, artifact);
        ResultSet found = statement.executeQuery()) {
      List<Holder> holders = new ArrayList<>();
      while (found.next()) {
        holders.add(
            new Holder(
                found.getString(1),
                MemoryKind.values()[found.getInt(2)],
                found.getInt(3),
                found.getInt(4),
                found.getInt(5),
                found.getBoolean(7),
                found.getInt(6)));
      }
      return holders;
    }
  }

  private static boolean isThere(Connection connection, String sql, Object... parameters)
      throws SQLException {
    return !Database.texts(connection, sql, parameters).isEmpty();
  }
}
