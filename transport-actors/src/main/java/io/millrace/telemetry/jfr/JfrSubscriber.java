package io.millrace.telemetry.jfr;

import io.millrace.event.EventSubscription;
import io.millrace.event.SubscriptionOptions;
import io.millrace.event.TransportEvents;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;

/**
 * Sends a node's events to the JVM's Flight Recorder: each event as an event of JFR with a name
 * that begins with {@code io.millrace.} and the category Millrace. Sends the activity of each
 * worker once a second, and data events, if a recording enables a data event at the recording's
 * start. A node that waits for a recording costs nothing meanwhile but the listener: nobody is
 * subscribed. JFR's time of an event is the time of the telling, some milliseconds after the event.
 * Any thread; {@code millrace.events.jfr} creates a subscriber.
 */
public final class JfrSubscriber implements AutoCloseable {
  private static final Duration ACTIVITY_EVERY = Duration.ofSeconds(1);

  private final Node node;
  private final boolean isAlwaysOn;
  private @Nullable Runnable listening;
  private @Nullable EventSubscription plain;
  private @Nullable EventSubscription measured;

  /** The options of {@link #measured}. */
  private SubscriptionOptions measures = SubscriptionOptions.DEFAULTS;

  private boolean hasWorkers;
  private boolean closed;

  /** A node whose events are recorded. */
  @FunctionalInterface
  public interface Node {
    /** Tells this subscriber the events from now on. */
    EventSubscription subscribe(TransportEvents subscriber, SubscriptionOptions options);
  }

  private JfrSubscriber(Node node, boolean isAlwaysOn) {
    this.node = node;
    this.isAlwaysOn = isAlwaysOn;
  }

  /** Whether this JVM has a Flight Recorder. */
  public static boolean isAvailable() {
    return ModuleLayer.boot().findModule("jdk.jfr").isPresent() && Recorder.isThere();
  }

  /**
   * Of a node that begins to start; {@link #onWorkers} goes on. Only where {@link #isAvailable}
   * says so.
   *
   * @param isAlwaysOn whether the subscriber is subscribed also while no recording runs
   */
  public static JfrSubscriber start(Node node, boolean isAlwaysOn) {
    JfrSubscriber started = new JfrSubscriber(node, isAlwaysOn);
    started.listening = Recorder.listen(started::update);
    started.update();
    return started;
  }

  /** The node has its workers, and can tell the workers' activity. */
  public synchronized void onWorkers() {
    hasWorkers = true;
    update();
  }

  /** Subscribes to the events that are recorded now, and to nothing else. */
  private synchronized void update() {
    if (closed) {
      return;
    }
    boolean isRecorded = isAlwaysOn || Recorder.isRecording();
    if (isRecorded && plain == null) {
      plain = node.subscribe(new JfrEvents(), SubscriptionOptions.DEFAULTS);
    } else if (!isRecorded) {
      plain = ended(plain);
    }
    SubscriptionOptions wanted =
        isRecorded && hasWorkers ? Recorder.measures() : SubscriptionOptions.DEFAULTS;
    if (!wanted.equals(measures)) {
      measured = ended(measured);
      measures = wanted;
      if (!wanted.equals(SubscriptionOptions.DEFAULTS)) {
        measured = node.subscribe(new JfrActivity(), wanted);
      }
    }
  }

  private static @Nullable EventSubscription ended(@Nullable EventSubscription subscription) {
    if (subscription != null) {
      subscription.close();
    }
    return null;
  }

  /** No recording that starts from now on has events of this node; events being told go on. */
  public void stopListening() {
    Runnable ending;
    synchronized (this) {
      closed = true;
      ending = listening;
      listening = null;
    }
    if (ending != null) {
      ending.run();
    }
  }

  /** Ends the subscriptions as well: waiting events are not recorded. Idempotent. */
  @Override
  public void close() {
    stopListening();
    synchronized (this) {
      plain = ended(plain);
      measured = ended(measured);
    }
  }

  /** The calls that need the module jdk.jfr. */
  private static final class Recorder {
    private Recorder() {}

    static boolean isThere() {
      return FlightRecorder.isAvailable();
    }

    /** The returned task ends the listening. */
    static Runnable listen(Runnable onChange) {
      FlightRecorderListener listener =
          new FlightRecorderListener() {
            @Override
            public void recordingStateChanged(Recording recording) {
              onChange.run();
            }
          };
      FlightRecorder.addListener(listener);
      return () -> FlightRecorder.removeListener(listener);
    }

    static boolean isRecording() {
      return FlightRecorder.isInitialized()
          && FlightRecorder.getFlightRecorder().getRecordings().stream()
              .anyMatch(recording -> recording.getState() == RecordingState.RUNNING);
    }

    /** The options that recordings have enabled, besides plain events. */
    static SubscriptionOptions measures() {
      List<Class<? extends Event>> data = JfrDataEvents.TYPES;
      Stream.of(JfrEvents.TYPES, data, JfrActivity.types())
          .flatMap(List::stream)
          .forEach(FlightRecorder::register);
      SubscriptionOptions wanted = SubscriptionOptions.DEFAULTS;
      if (isEnabled(JfrActivity.types())) {
        wanted = wanted.withActivityEvery(ACTIVITY_EVERY);
      }
      return isEnabled(data) ? wanted.withData() : wanted;
    }

    private static boolean isEnabled(List<Class<? extends Event>> types) {
      return types.stream().anyMatch(type -> EventType.getEventType(type).isEnabled());
    }
  }
}
