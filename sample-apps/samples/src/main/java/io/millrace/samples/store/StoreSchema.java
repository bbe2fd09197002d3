package io.millrace.samples.store;

import java.util.List;

/**
 * The coordinator's tables. Times are milliseconds of the coordinator's clock, never of the
 * database's. The counter of reads is a column of the replica, so that no replica lacks a counter.
 */
final class StoreSchema {
  static final List<String> TABLES =
      List.of(
          """
          CREATE TABLE IF NOT EXISTS workers (
            worker_id VARCHAR PRIMARY KEY,
            is_accepting BOOLEAN NOT NULL,
            inactive_at BIGINT,
            last_heartbeat BIGINT NOT NULL)
          """,
          """
          CREATE TABLE IF NOT EXISTS artifacts (
            artifact_id VARCHAR PRIMARY KEY,
            size_bytes BIGINT NOT NULL,
            chunk_bytes INT NOT NULL,
            digests VARCHAR NOT NULL)
          """,
          """
          CREATE TABLE IF NOT EXISTS artifact_keys (
            name VARCHAR PRIMARY KEY,
            artifact_id VARCHAR NOT NULL)
          """,
          """
          CREATE TABLE IF NOT EXISTS replicas (
            replica_id VARCHAR PRIMARY KEY,
            publish_id VARCHAR NOT NULL,
            artifact_id VARCHAR NOT NULL,
            worker_id VARCHAR NOT NULL,
            kind INT NOT NULL,
            ranges VARCHAR NOT NULL,
            range_count INT NOT NULL,
            is_available BOOLEAN NOT NULL,
            max_concurrency INT NOT NULL,
            current_requests INT NOT NULL,
            corrupt_reports INT NOT NULL,
            updated_at BIGINT NOT NULL,
            UNIQUE (artifact_id, worker_id, kind),
            CHECK (current_requests >= 0 AND current_requests <= max_concurrency))
          """,
          """
          CREATE TABLE IF NOT EXISTS claims (
            transport_id VARCHAR PRIMARY KEY,
            replica_id VARCHAR NOT NULL,
            target VARCHAR NOT NULL,
            expires_at BIGINT NOT NULL)
          """);

  private StoreSchema() {}
}
