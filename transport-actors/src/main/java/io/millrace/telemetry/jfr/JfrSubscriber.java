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
 * Has a node's events go to the JVM's Flight Recorder: each as an event of JFR whose name begins
 * with {@code io.millrace.} and whose category is Millrace; what each worker did once a second; and
 * data events, if a recording enables one of them when it starts. A node that waits for a recording
 * costs nothing meanwhile but the listener: nobody is subscribed. JFR's time of an event is when it
 * was told, some milliseconds after it happened. Any thread; {@code millrace.events.jfr} makes one.
 */
public final class JfrSubscriber implements AutoCloseable {
  private static final Duration ACTIVITY_EVERY = Duration.ofSeconds(1);

  private final Node node;
  private final boolean isAlwaysOn;
  private @Nullable Runnable listening;
  private @Nullable EventSubscription plain;
  private @Nullable EventSubscription measured;

  /** What {@link #measured} was asked for. */
  private SubscriptionOptions measures = SubscriptionOptions.DEFAULTS;

  private boolean hasWorkers;
  private boolean closed;

  /** A node whose events they are. */
  @FunctionalInterface
  public interface Node {
    /** Tells this one what happens from now on. */
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
   * @param isAlwaysOn whether it is subscribed also while no recording runs
   */
  public static JfrSubscriber start(Node node, boolean isAlwaysOn) {
    JfrSubscriber started = new JfrSubscriber(node, isAlwaysOn);
    started.listening = Recorder.listen(started::update);
    started.update();
    return started;
  }

  /** The node has its workers, and can tell what they do. */
  public synchronized void onWorkers() {
    hasWorkers = true;
    update();
  }

  /** Subscribes to what is recorded now, and to nothing else. */
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

  /** No recording that starts from now on has events of this node; what is told already goes on. */
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

  /** Ends its subscriptions as well: what waits for them is not recorded. Idempotent. */
  @Override
  public void close() {
    stopListening();
    synchronized (this) {
      plain = ended(plain);
      measured = ended(measured);
    }
  }

  /** What needs the module jdk.jfr. */
  private static final class Recorder {
    private Recorder() {}

    static boolean isThere() {
      return FlightRecorder.isAvailable();
    }

    /** What it gives ends the listening. */
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

    /** What recordings have enabled, besides plain events. */
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
