package io.millrace.event;

import io.millrace.memory.SegmentBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rings in which the data events of one worker go to the subscribers, a ring for each
 * subscriber. A full ring drops new events and counts them.
 */
class DataRings {
  private static final VarHandle RINGS;
  private static final VarHandle HEARD;
  private static final DataRing[] NONE = {};
  private static final int LENGTH = 5 * Long.BYTES;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      RINGS = lookup.findVarHandle(DataRings.class, "rings", DataRing[].class);
      HEARD = lookup.findVarHandle(DataRings.class, "heard", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int worker;
  private DataRing[] rings = NONE;
  private final SegmentBuffer scratch = new SegmentBuffer(new byte[LENGTH]);
  private @Nullable Direct direct;

  /** Whether anybody is subscribed: the one field read for each event without a subscriber. */
  @SuppressWarnings("UnusedVariable") // HEARD reads the field
  private boolean heard;

  /** Receives events on the thread where they happen: in simulations. */
  interface Direct {
    void onDataEvent(int kind, int worker, SegmentBuffer from);
  }

  DataRings(int worker) {
    this.worker = worker;
  }

  /** The worker whose events these rings carry. */
  final int worker() {
    return worker;
  }

  /**
   * Whether anybody is subscribed; code that spends more on an event than the telling may ask
   * first.
   */
  public final boolean isHeard() {
    return (boolean) HEARD.getOpaque(this);
  }

  /** Tells the subscribers an event. */
  protected final void write(int kind, long a, long b, long c, long d, long e) {
    for (DataRing ring : (DataRing[]) RINGS.getAcquire(this)) {
      ring.write(kind, a, b, c, d, e);
    }
    Direct listener = direct;
    if (listener != null) {
      DataRing.put(scratch, 0, a, b, c, d, e);
      listener.onDataEvent(kind, worker, scratch);
    }
  }

  /** Only before the worker runs. */
  final void direct(@Nullable Direct listener) {
    direct = listener;
    tellHeard();
  }

  private void tellHeard() {
    HEARD.setOpaque(this, rings.length > 0 || direct != null);
  }

  /** Adds the ring of a further subscriber. Any thread. */
  final synchronized void add(DataRing ring) {
    DataRing[] all = Arrays.copyOf(rings, rings.length + 1);
    all[rings.length] = ring;
    RINGS.setRelease(this, all);
    tellHeard();
  }

  /** Removes the ring of a subscriber. Any thread. */
  final synchronized void remove(DataRing ring) {
    RINGS.setRelease(
        this, Arrays.stream(rings).filter(each -> !each.equals(ring)).toArray(DataRing[]::new));
    tellHeard();
  }
}
