package io.millrace.efa;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The counters of a fabric endpoint beyond {@link io.millrace.driver.EndpointCounters}: written by
 * the endpoint's worker, read by any thread, torn reads tolerated.
 */
public final class FabricCounters {
  /** One-sided writes taken by the provider. */
  public long writesPosted;

  /** Bytes of the one-sided writes taken by the provider. */
  public long writeBytesPosted;

  /** One-sided writes completed at the target. */
  public long writesCompleted;

  /** Failed one-sided writes, at the post or later. */
  public long writesFailed;

  /** Peers' one-sided writes with an immediate value, completed here. */
  public long remoteWrites;

  /** Posts temporarily refused by the provider. */
  public long tryAgains;

  /** Posts refused by the endpoint's own window before a call of the provider. */
  public long windowFull;

  /** Trains dropped because their destination refused all posts for too long. */
  public long stalledTrains;

  /** Reports that the receiver of an operation had no free receive buffer. */
  public long notReady;

  /** Sends and writes posted again after such a report. */
  public long repeats;

  /** Writes not posted because the receiver of the destination was not ready. */
  public long heldBack;

  /** Datagrams and writes given up because the receiver was not ready for too long. */
  public long notReadyGivenUp;

  /** Failed receives, except receives of oversized datagrams. */
  public long failedReceives;

  /** Completions without an operation of this endpoint, and failures of the endpoint as a whole. */
  public long strayCompletions;

  /** Polls answered by the completion queue with an error of the queue itself. */
  public long queueErrors;

  /** Entries of the event queue: asynchronous errors, for example of a peer's emulated write. */
  public long asyncEvents;

  /** Returns all counters, under the names of a report. */
  Map<String, Long> byName() {
    Map<String, Long> all = new LinkedHashMap<>();
    all.put("writes_posted", writesPosted);
    all.put("write_bytes_posted", writeBytesPosted);
    all.put("writes_completed", writesCompleted);
    all.put("writes_failed", writesFailed);
    all.put("remote_writes", remoteWrites);
    all.put("try_agains", tryAgains);
    all.put("window_full", windowFull);
    all.put("stalled_trains", stalledTrains);
    all.put("not_ready", notReady);
    all.put("repeats", repeats);
    all.put("held_back", heldBack);
    all.put("not_ready_given_up", notReadyGivenUp);
    all.put("failed_receives", failedReceives);
    all.put("stray_completions", strayCompletions);
    all.put("queue_errors", queueErrors);
    all.put("async_events", asyncEvents);
    return Collections.unmodifiableMap(all);
  }
}
