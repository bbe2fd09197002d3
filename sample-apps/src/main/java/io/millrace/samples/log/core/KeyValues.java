package io.millrace.samples.log.core;

import io.millrace.samples.log.core.Result.Status;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pekko.util.ByteString;

/**
 * The state that the log makes: keys, and what each session did last, so that an operation that
 * comes twice is done once. The same operations make the same state on every replica: no clock and
 * no hash decides anything. Of more than {@code mostSessions} the one unused longest is forgotten.
 */
public final class KeyValues {
  private static final ByteString NOTHING = ByteString.emptyByteString();
  private static final int LEAST_KEY_BYTES = 8;
  private static final int LEAST_SESSION_BYTES = 32;

  private record Session(long sequence, Result last) {}

  private final int mostSessions;
  private final Map<ByteString, ByteString> values = new LinkedHashMap<>();

  /** In the order of their last use. */
  private final LinkedHashMap<Long, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);

  private long opened;

  /** Without any key. */
  public KeyValues(int mostSessions) {
    this.mostSessions = mostSessions;
  }

  /** All keys and values, for tests: replicas that applied the same slots have the same. */
  public Map<String, ByteString> contents() {
    Map<String, ByteString> contents = new TreeMap<>();
    values.forEach((key, value) -> contents.put(key.utf8String(), value));
    return contents;
  }

  /** Does an operation, unless its session has done it already. */
  public Result apply(Operation operation) {
    if (operation.kind() == Operation.Kind.OPEN) {
      return open();
    }
    Session session = sessions.get(operation.session());
    if (session == null || operation.sequence() < session.sequence) {
      return Result.of(Status.NO_SESSION, NOTHING);
    }
    if (operation.sequence() == session.sequence) {
      return session.last;
    }
    Result result = execute(operation);
    sessions.put(operation.session(), new Session(operation.sequence(), result));
    return result;
  }

  private Result open() {
    opened++;
    sessions.put(opened, new Session(0, Result.of(Status.DONE, NOTHING)));
    if (sessions.size() > mostSessions) {
      sessions.pollFirstEntry();
    }
    return Result.of(Status.DONE, opened);
  }

  private Result execute(Operation operation) {
    ByteString found = values.getOrDefault(operation.key(), NOTHING);
    return switch (operation.kind()) {
      case GET -> Result.of(Status.DONE, found);
      case PUT -> {
        values.put(operation.key(), operation.value());
        yield Result.of(Status.DONE, NOTHING);
      }
      case COMPARE_AND_SET -> {
        if (!found.equals(operation.expected())) {
          yield Result.of(Status.DIFFERENT, found);
        }
        values.put(operation.key(), operation.value());
        yield Result.of(Status.DONE, NOTHING);
      }
      case OPEN -> throw new IllegalStateException("a session is not opened here");
    };
  }

  /** All of it. */
  public ByteString snapshot() {
    FieldWriter out = new FieldWriter().number(opened).small(values.size());
    values.forEach((key, value) -> out.bytes(key).bytes(value));
    out.small(sessions.size());
    sessions.forEach(
        (number, session) -> session.last.write(out.number(number).number(session.sequence)));
    return out.toBytes();
  }

  /** Becomes what a snapshot holds. */
  public void restore(ByteString snapshot) {
    FieldReader in = new FieldReader(snapshot);
    values.clear();
    sessions.clear();
    opened = in.number();
    int keys = in.count(LEAST_KEY_BYTES);
    for (int i = 0; i < keys; i++) {
      values.put(in.bytes(), in.bytes());
    }
    int known = in.count(LEAST_SESSION_BYTES);
    for (int i = 0; i < known; i++) {
      sessions.put(in.number(), new Session(in.number(), Result.read(in)));
    }
    in.end();
  }
}
