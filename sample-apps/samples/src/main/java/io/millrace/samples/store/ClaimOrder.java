package io.millrace.samples.store;

/** The order in which replicas are claimed. */
public enum ClaimOrder {
  /** Faster memory, then the smaller limit, then the smaller load, then the older entry. */
  KIND_THEN_LIMIT(
      "r.kind, r.max_concurrency, (r.current_requests * 1.0 / r.max_concurrency), r.updated_at"),

  /** Faster memory, then the smaller load: small replicas do not attract the crowd. */
  KIND_THEN_LOAD("r.kind, (r.current_requests * 1.0 / r.max_concurrency), r.updated_at");

  private final String columns;

  ClaimOrder(String columns) {
    this.columns = columns;
  }

  /** Returns the columns for ORDER BY; the last column makes the order total. */
  String columns() {
    return columns + ", r.replica_id";
  }
}
