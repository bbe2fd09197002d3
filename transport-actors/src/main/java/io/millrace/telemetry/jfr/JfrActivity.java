package io.millrace.telemetry.jfr;

import io.millrace.event.Count;
import io.millrace.event.Gauge;
import io.millrace.event.LatencyCounts;
import io.millrace.event.NicTraffic;
import io.millrace.event.WorkerActivity;
import java.util.List;
import java.util.function.ToLongFunction;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Commits the activity of each worker in an interval to JFR, and data events. */
final class JfrActivity extends JfrDataEvents {
  private static final int HALF_PERCENT = 50;
  private static final int HIGH_PERCENT = 99;
  private static final int ALL_PERCENT = 100;

  /** The main figures of a {@link WorkerActivity}. */
  @Name("io.millrace.WorkerActivity")
  @Label("Worker activity")
  @Description("The work of one worker in an interval")
  @Category({"Millrace", "workers"})
  @StackTrace(false)
  static final class WorkerActivityEvent extends Event {
    int worker;

    @Timespan(Timespan.NANOSECONDS)
    long interval;

    long requestsSent;
    long responsesReceived;
    long requestsServed;
    long callsFailed;
    long streamsOpened;

    @Description("Half of the calls that ended took no longer; the upper end of a bucket")
    @Timespan(Timespan.NANOSECONDS)
    long latencyMedian;

    @Timespan(Timespan.NANOSECONDS)
    long latency99;

    @Timespan(Timespan.NANOSECONDS)
    long latencyMost;

    @DataAmount long payloadSent;
    @DataAmount long payloadDelivered;
    @DataAmount long bodiesReceived;
    long packetsSent;
    long packetsReceived;
    long packetsLost;
    long framesRetransmitted;
    long datagramsDropped;
    long probeTimeouts;

    @Description("Of datagrams that the NICs of this worker carried, headers included")
    @DataAmount
    long nicSent;

    @DataAmount long nicReceived;

    @Description("Submissions that the worker had not taken at the end")
    @DataAmount
    long submissionsWaiting;

    @Description("Bytes that waited on paths or were not acknowledged at the end")
    @DataAmount
    long load;

    @Description("Of the regions that peers held at the end")
    @DataAmount
    long granted;

    @Description("Data events that this recording misses because they came too fast")
    long eventsDropped;
  }

  /** The types of the committed events. */
  static List<Class<? extends Event>> types() {
    return List.of(WorkerActivityEvent.class);
  }

  @Override
  public void onWorkerActivity(WorkerActivity activity) {
    WorkerActivityEvent made = new WorkerActivityEvent();
    if (!made.isEnabled()) {
      return;
    }
    made.worker = activity.worker();
    made.interval = activity.endNs() - activity.startNs();
    transfers(made, activity);
    packets(made, activity);
    made.submissionsWaiting = activity.gauge(Gauge.SUBMISSIONS_WAITING);
    made.load = activity.gauge(Gauge.LOAD_BYTES);
    made.granted = activity.gauge(Gauge.GRANTED_BYTES);
    made.eventsDropped = activity.eventsDropped();
    made.commit();
  }

  private static void transfers(WorkerActivityEvent made, WorkerActivity activity) {
    made.requestsSent = activity.count(Count.REQUESTS_SENT);
    made.responsesReceived = activity.count(Count.RESPONSES_RECEIVED);
    made.requestsServed = activity.count(Count.REQUESTS_SERVED);
    made.callsFailed = activity.count(Count.CALLS_FAILED);
    made.streamsOpened = activity.count(Count.STREAMS_OPENED);
    made.payloadSent = activity.count(Count.PAYLOAD_BYTES_SENT);
    made.payloadDelivered = activity.count(Count.PAYLOAD_BYTES_DELIVERED);
    made.bodiesReceived = activity.count(Count.BODY_BYTES_RECEIVED);
    long ended = 0;
    for (int bucket = 0; bucket < LatencyCounts.BUCKETS; bucket++) {
      ended += activity.latencies(bucket);
    }
    made.latencyMedian = latency(activity, ended, HALF_PERCENT);
    made.latency99 = latency(activity, ended, HIGH_PERCENT);
    made.latencyMost = latency(activity, ended, ALL_PERCENT);
  }

  /** The time that this percentage did not exceed, ns; 0 if none ended. */
  private static long latency(WorkerActivity activity, long ended, int percent) {
    long wanted = Math.ceilDiv(ended * percent, ALL_PERCENT);
    long seen = 0;
    for (int bucket = 0; bucket < LatencyCounts.BUCKETS && wanted > 0; bucket++) {
      seen += activity.latencies(bucket);
      if (seen >= wanted) {
        return LatencyCounts.highestNs(bucket);
      }
    }
    return 0;
  }

  private static void packets(WorkerActivityEvent made, WorkerActivity activity) {
    made.packetsSent = activity.count(Count.PACKETS_SENT);
    made.packetsReceived = activity.count(Count.PACKETS_RECEIVED);
    made.packetsLost = activity.count(Count.PACKETS_LOST);
    made.framesRetransmitted = activity.count(Count.FRAMES_RETRANSMITTED);
    made.datagramsDropped = activity.count(Count.DATAGRAMS_DROPPED);
    made.probeTimeouts = activity.count(Count.PROBE_TIMEOUTS);
    made.nicSent = sum(activity, NicTraffic::bytesSent);
    made.nicReceived = sum(activity, NicTraffic::bytesReceived);
  }

  private static long sum(WorkerActivity activity, ToLongFunction<NicTraffic> figure) {
    return activity.nics().stream().mapToLong(figure).sum();
  }
}
