package io.millrace.efa;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a fabric endpoint counts beyond {@link io.millrace.driver.EndpointCounters}: written by its
 * worker, read by anyone, torn reads tolerated.
 */
public final class FabricCounters {
  /** One-sided writes that the provider took. */
  public long writesPosted;

  /** Bytes of those writes. */
  public long writeBytesPosted;

  /** One-sided writes that completed at the target. */
  public long writesCompleted;

  /** One-sided writes that failed, whether at the post or later. */
  public long writesFailed;

  /** Peers' one-sided writes with an immediate value that completed here. */
  public long remoteWrites;

  /** Posts that the provider refused for the moment. */
  public long tryAgains;

  /** Posts that our own window refused before the provider was asked. */
  public long windowFull;

  /** Trains dropped because their destination took nothing for too long. */
  public long stalledTrains;

  /** Failed receives other than those of oversized datagrams. */
  public long failedReceives;

  /** Completions that belong to no operation of ours, and failures of the endpoint as a whole. */
  public long strayCompletions;

  /** Polls that the completion queue answered with an error of its own. */
  public long queueErrors;

  /** Entries of the event queue: asynchronous errors, for example of a peer's emulated write. */
  public long asyncEvents;

  /** All of them, in words of a report. */
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
    all.put("failed_receives", failedReceives);
    all.put("stray_completions", strayCompletions);
    all.put("queue_errors", queueErrors);
    all.put("async_events", asyncEvents);
    return Collections.unmodifiableMap(all);
  }
}
