package io.millrace.samples.store;

import java.time.Duration;

/**
 * The settings of a coordinator.
 *
 * @param databaseUrl the JDBC URL: {@code jdbc:h2:...}, embedded, or {@code jdbc:postgresql:...}
 * @param order the order in which replicas are claimed
 * @param lease the time that a claim lasts without a heartbeat that names the claim
 * @param heartbeatLimit the time of silence after which a daemon is offered to nobody
 */
public record CoordinatorSettings(
    String databaseUrl, ClaimOrder order, Duration lease, Duration heartbeatLimit) {
  /** Returns the usual times with this database. */
  public static CoordinatorSettings of(String databaseUrl) {
    return new CoordinatorSettings(
        databaseUrl, ClaimOrder.KIND_THEN_LIMIT, Duration.ofSeconds(10), Duration.ofSeconds(6));
  }
}
