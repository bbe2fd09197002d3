package io.millrace.samples.log.core;

import io.millrace.samples.log.core.Result.Status;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pekko.util.ByteString;

/**
 * The state made by the log: keys, and the last operation of each session, so that a repeated
 * operation is done once. The same operations make the same state on every replica: no clock and no
 * hash decides anything. Beyond {@code mostSessions} sessions the session unused longest is
 * forgotten. The same happens if the last answers of sessions take more than an eighth of the limit
 * of keys and values.
 */
public final class KeyValues {
  private static final ByteString NOTHING = ByteString.emptyByteString();
  private static final int LEAST_KEY_BYTES = 8;
  private static final int LEAST_SESSION_BYTES = 32;

  /** The memory of a key or a session beside its bytes, about. */
  private static final int OVERHEAD_BYTES = 64;

  private record Session(long sequence, Result last) {
    long bytes() {
      return (long) OVERHEAD_BYTES + last.value().size();
    }
  }

  private final int mostSessions;
  private final long mostBytes;
  private final Map<ByteString, ByteString> values = new LinkedHashMap<>();

  /** The sessions in the order of their last use. */
  private final LinkedHashMap<Long, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);

  private long opened;

  /** The bytes of all keys and values. */
  private long bytes;

  /** The bytes of all sessions. */
  private long sessionBytes;

  /**
   * Begins without any key.
   *
   * @param mostBytes the limit of keys and values
   */
  public KeyValues(int mostSessions, long mostBytes) {
    this.mostSessions = mostSessions;
    this.mostBytes = mostBytes;
  }

  /**
   * Returns all keys and values, for tests: replicas that applied the same slots have the same
   * contents.
   */
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
    put(operation.session(), new Session(operation.sequence(), result));
    return result;
  }

  private Result open() {
    opened++;
    put(opened, new Session(0, Result.of(Status.DONE, NOTHING)));
    return Result.of(Status.DONE, opened);
  }

  private void put(long number, Session session) {
    Session before = sessions.put(number, session);
    sessionBytes += session.bytes() - (before == null ? 0 : before.bytes());
    while (sessions.size() > 1
        && (sessions.size() > mostSessions || sessionBytes > mostBytes / 8)) {
      sessionBytes -= sessions.pollFirstEntry().getValue().bytes();
    }
  }

  private Result store(ByteString key, ByteString value) {
    ByteString before = values.get(key);
    long had = before == null ? 0 : bytesOf(key, before);
    long now = bytes - had + bytesOf(key, value);
    if (now > mostBytes && now > bytes) {
      return Result.of(Status.TOO_LARGE, mostBytes);
    }
    bytes = now;
    values.put(key, value);
    return Result.of(Status.DONE, NOTHING);
  }

  private static long bytesOf(ByteString key, ByteString value) {
    return (long) OVERHEAD_BYTES + key.size() + value.size();
  }

  private Result execute(Operation operation) {
    ByteString found = values.getOrDefault(operation.key(), NOTHING);
    return switch (operation.kind()) {
      case GET -> Result.of(Status.DONE, found);
      case PUT -> store(operation.key(), operation.value());
      case COMPARE_AND_SET -> {
        if (!found.equals(operation.expected())) {
          yield Result.of(Status.DIFFERENT, found);
        }
        yield store(operation.key(), operation.value());
      }
      case OPEN -> throw new IllegalStateException("a session is not opened here");
    };
  }

  /** Returns the whole state. */
  public ByteString snapshot() {
    FieldWriter out = new FieldWriter().number(opened).small(values.size());
    values.forEach((key, value) -> out.bytes(key).bytes(value));
    out.small(sessions.size());
    sessions.forEach(
        (number, session) -> session.last.write(out.number(number).number(session.sequence)));
    return out.toBytes();
  }

  /** Replaces the state by a snapshot's state. */
  public void restore(ByteString snapshot) {
    FieldReader in = new FieldReader(snapshot);
    values.clear();
    sessions.clear();
    bytes = 0;
    sessionBytes = 0;
    opened = in.number();
    int keys = in.count(LEAST_KEY_BYTES);
    for (int i = 0; i < keys; i++) {
      ByteString key = in.bytes();
      ByteString value = in.bytes();
      values.put(key, value);
      bytes += bytesOf(key, value);
    }
    int known = in.count(LEAST_SESSION_BYTES);
    for (int i = 0; i < known; i++) {
      put(in.number(), new Session(in.number(), Result.read(in)));
    }
    in.end();
  }
}
