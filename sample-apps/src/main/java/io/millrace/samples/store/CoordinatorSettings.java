package io.millrace.samples.store;

import java.time.Duration;

/**
 * How a coordinator decides.
 *
 * @param databaseUrl of JDBC: {@code jdbc:h2:...}, embedded, or {@code jdbc:postgresql:...}
 * @param order which replica is claimed first
 * @param lease how long a claim lasts without a heartbeat that names it
 * @param heartbeatLimit how long a daemon may be silent before it is offered to nobody
 */
public record CoordinatorSettings(
    String databaseUrl, ClaimOrder order, Duration lease, Duration heartbeatLimit) {
  /** The usual times with this database. */
  public static CoordinatorSettings of(String databaseUrl) {
    return new CoordinatorSettings(
        databaseUrl, ClaimOrder.KIND_THEN_LIMIT, Duration.ofSeconds(10), Duration.ofSeconds(6));
  }
}
