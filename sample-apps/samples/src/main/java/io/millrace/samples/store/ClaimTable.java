package io.millrace.samples.store;

import io.millrace.samples.store.StoreRoutes.Complete;
import io.millrace.samples.store.StoreRoutes.Request;
import io.millrace.samples.store.StoreRoutes.Session;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Claims on replicas: the permissions to read from a daemon now. A claim raises the counter of its
 * replica in the same statement that checks the limit, so no crowd of claimers passes the limit.
 * The row of a claim is deleted once, by the statement that ends the claim; only this deletion
 * lowers the counter. A new publication of the replica ends all its claims, see {@link
 * ArtifactTable#register}.
 */
final class ClaimTable {
  /** The number of daemons that a request can exclude. */
  static final int MOST_EXCLUDED = 64;

  private static final String MAY_SERVE =
      """
      w.is_accepting = TRUE AND w.inactive_at IS NULL AND w.last_heartbeat > ?
      """;

  private static final String RAISE =
      """
      UPDATE replicas SET current_requests = current_requests + 1
      WHERE replica_id = ? AND is_available = TRUE AND range_count > 0
        AND current_requests < max_concurrency
        AND EXISTS (SELECT 1 FROM workers w WHERE w.worker_id = replicas.worker_id AND
      """
          + MAY_SERVE
          + ")";

  private final Database database;
  private final ClaimOrder order;
  private final long leaseMs;
  private final long heartbeatLimitMs;

  /**
   * Keeps claims that end after {@code leaseMs} unless renewed, on replicas of daemons with a
   * heartbeat within {@code heartbeatLimitMs}.
   */
  ClaimTable(Database database, ClaimOrder order, long leaseMs, long heartbeatLimitMs) {
    this.database = database;
    this.order = order;
    this.leaseMs = leaseMs;
    this.heartbeatLimitMs = heartbeatLimitMs;
  }

  /** Claims the best replica that may serve; returns empty without such a replica now. */
  Optional<Session> claim(Request request, long nowMs) throws SQLException {
    expire(nowMs);
    return database.transaction(
        connection -> {
          String replica = candidate(connection, request, nowMs);
          while (replica != null && !isRaised(connection, replica, nowMs)) {
            replica = candidate(connection, request, nowMs);
          }
          return replica == null
              ? Optional.<Session>empty()
              : Optional.of(session(connection, replica, request.target(), nowMs));
        });
  }

  private @Nullable String candidate(Connection connection, Request request, long nowMs)
      throws SQLException {
    List<String> notFrom =
        request.notFrom().subList(0, Math.min(MOST_EXCLUDED, request.notFrom().size()));
    String sql =
        """
        SELECT r.replica_id FROM replicas r JOIN workers w ON w.worker_id = r.worker_id
        WHERE r.artifact_id = ? AND r.worker_id <> ? AND r.is_available = TRUE
          AND r.range_count > 0 AND r.current_requests < r.max_concurrency AND
        """
            + MAY_SERVE
            + " AND r.worker_id <> ?".repeat(notFrom.size())
            + " ORDER BY "
            + order.columns()
            + " LIMIT 1";
    List<Object> parameters =
        new ArrayList<>(List.of(request.artifact(), request.target(), nowMs - heartbeatLimitMs));
    parameters.addAll(notFrom);
    List<String> found = Database.texts(connection, sql, parameters.toArray());
    return found.isEmpty() ? null : found.getFirst();
  }

  private boolean isRaised(Connection connection, String replica, long nowMs) throws SQLException {
    return Database.update(connection, RAISE, replica, nowMs - heartbeatLimitMs) == 1;
  }

  private Session session(Connection connection, String replica, String target, long nowMs)
      throws SQLException {
    String transport = UUID.randomUUID().toString();
    Database.update(
        connection,
        "INSERT INTO claims (transport_id, replica_id, target, expires_at) VALUES (?, ?, ?, ?)",
        transport,
        replica,
        target,
        nowMs + leaseMs);
    try (PreparedStatement statement =
            Database.prepare(
                connection,
                "SELECT worker_id, ranges FROM replicas WHERE replica_id = ?",
                replica);
        ResultSet found = statement.executeQuery()) {
      found.next();
      return new Session(transport, found.getString(1), RangesText.parse(found.getString(2)));
    }
  }

  /** Keeps a claim of this daemon for another lease; returns false if the claim has ended. */
  boolean renew(String transport, String target, long nowMs) throws SQLException {
    return database.transaction(
            connection ->
                Database.update(
                    connection,
                    "UPDATE claims SET expires_at = ? WHERE transport_id = ? AND target = ?",
                    nowMs + leaseMs,
                    transport,
                    target))
        == 1;
  }

  /** Ends a claim; returns false if the claim had ended before. */
  boolean complete(Complete ended) throws SQLException {
    return database.transaction(
        connection ->
            end(connection, ended.transport(), ended.isCorrupt() ? 1 : 0, Long.MAX_VALUE));
  }

  /** Ends all claims after the end of their leases; returns their number. */
  int expire(long nowMs) throws SQLException {
    List<String> over =
        database.transaction(
            connection ->
                Database.texts(
                    connection, "SELECT transport_id FROM claims WHERE expires_at <= ?", nowMs));
    int ended = 0;
    for (String transport : over) {
      ended += database.transaction(connection -> end(connection, transport, 0, nowMs)) ? 1 : 0;
    }
    return ended;
  }

  /** Only the deletion of the row lowers the counter. A claim renewed meanwhile stays. */
  private static boolean end(Connection connection, String transport, int corrupt, long overAtMs)
      throws SQLException {
    List<String> replicas =
        Database.texts(
            connection, "SELECT replica_id FROM claims WHERE transport_id = ?", transport);
    if (replicas.isEmpty()
        || Database.update(
                connection,
                "DELETE FROM claims WHERE transport_id = ? AND expires_at <= ?",
                transport,
                overAtMs)
            == 0) {
      return false;
    }
    Database.update(
        connection,
        "UPDATE replicas SET current_requests = current_requests - 1,"
            + " corrupt_reports = corrupt_reports + ? WHERE replica_id = ?",
        corrupt,
        replicas.getFirst());
    return true;
  }
}
