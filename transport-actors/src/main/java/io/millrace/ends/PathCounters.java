package io.millrace.ends;

import io.millrace.event.DataEvents;
import io.millrace.event.PathProbe;
import io.millrace.event.StageLatencies;
import io.millrace.event.WorkerCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The counts of the paths of one worker: plain counters, written by the worker, read by any thread;
 * a torn or late value does no harm.
 */
public final class PathCounters extends WorkerCounts {
  private static final VarHandle LOAD_BYTES;

  static {
    try {
      LOAD_BYTES =
          MethodHandles.lookup().findVarHandle(PathCounters.class, "loadBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final DataEvents data;
  private final StageLatencies latencies = new StageLatencies();
  private final Map<Long, PathProbe> paths = new ConcurrentHashMap<>();

  /** See {@link #loadBytes()}. */
  private long loadBytes;

  /** Nothing has happened on the paths of this worker. */
  public PathCounters(int worker) {
    data = new DataEvents(worker);
  }

  /** The data events of packets, messages and transfers. */
  public DataEvents data() {
    return data;
  }

  /** How long the stages of this node's transfers took. */
  public StageLatencies latencies() {
    return latencies;
  }

  /** The open paths, by their numbers. Any thread. */
  public Map<Long, PathProbe> paths() {
    return paths;
  }

  /** Bytes that wait on the paths, or are on their way and not acknowledged. Any thread. */
  public long loadBytes() {
    return (long) LOAD_BYTES.getOpaque(this);
  }

  /** Adds this number of waiting or unacknowledged bytes; negative to subtract. */
  public void addLoad(long bytes) {
    LOAD_BYTES.setOpaque(this, loadBytes + bytes);
  }
}
