package io.millrace.samples.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A few connections to a database, and transactions on these connections. The SQL of this package
 * runs on H2, embedded, and on PostgreSQL. Calls block; any thread.
 */
final class Database implements AutoCloseable {
  /**
   * The states of failures worth another try: an existing unique key, a deadlock, a conflict, or a
   * lock not free in time.
   */
  private static final Set<String> TRY_AGAIN = Set.of("23505", "40001", "40P01", "HYT00", "90131");

  private static final int MOST_TRIES = 100;
  private static final int CONNECTIONS = 8;

  private static final long CONNECTION_WAIT_MS = 10_000;

  private final HikariDataSource connections;

  /** The statements of a transaction. A transaction may be done again from its start. */
  @FunctionalInterface
  interface Work<T extends @Nullable Object> {
    T on(Connection connection) throws SQLException;
  }

  private Database(HikariDataSource connections) {
    this.connections = connections;
  }

  /**
   * Opens the database of a JDBC URL and makes the missing tables.
   *
   * @throws SQLException if the database cannot be reached
   */
  static Database open(String url, List<String> schema) throws SQLException {
    Database database = new Database(pool(url));
    try {
      database.transaction(
          connection -> {
            for (String statement : schema) {
              try (Statement made = connection.createStatement()) {
                made.execute(statement);
              }
            }
            return true;
          });
      return database;
    } catch (SQLException | RuntimeException | Error e) {
      database.close();
      throw e;
    }
  }

  private static HikariDataSource pool(String url) throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setPoolName("store");
    config.setMaximumPoolSize(CONNECTIONS);
    config.setConnectionTimeout(CONNECTION_WAIT_MS);
    config.setAutoCommit(false);
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    try {
      config.setJdbcUrl(url);
      return new HikariDataSource(config);
    } catch (RuntimeException e) {
      // The pool wraps the failure of the driver.
      throw e.getCause() instanceof SQLException why
          ? why
          : new SQLException("no connection to " + url + ": " + e.getMessage(), e);
    }
  }

  /**
   * Runs work as a transaction, and again after a conflict with another transaction.
   *
   * @throws SQLException if the work fails, or no connection is free for 10 s
   */
  <T extends @Nullable Object> T transaction(Work<T> work) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      return tried(connection, work);
    }
  }

  private static <T extends @Nullable Object> T tried(Connection connection, Work<T> work)
      throws SQLException {
    int tries = 0;
    while (true) {
      try {
        T result = work.on(connection);
        connection.commit();
        return result;
      } catch (SQLException e) {
        connection.rollback();
        tries++;
        if (tries == MOST_TRIES || !TRY_AGAIN.contains(String.valueOf(e.getSQLState()))) {
          throw e;
        }
      }
    }
  }

  /** Prepares a statement with its parameters in place. */
  static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }

  /** Returns the first column of all rows of a query. */
  static List<String> texts(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet found = statement.executeQuery()) {
      List<String> texts = new ArrayList<>();
      while (found.next()) {
        texts.add(found.getString(1));
      }
      return texts;
    }
  }

  /** Runs a change; returns the number of changed rows. */
  static int update(Connection connection, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      return statement.executeUpdate();
    }
  }

  @Override
  public void close() {
    connections.close();
  }
}
