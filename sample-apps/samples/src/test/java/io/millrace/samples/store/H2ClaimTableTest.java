package io.millrace.samples.store;

/** Claims on the embedded database. */
final class H2ClaimTableTest extends ClaimTableContract {
  private final TestDatabase database = TestDatabase.h2();

  @Override
  String url() {
    return database.url();
  }
}
