package io.millrace.samples.top;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code top} knows of one node: figures of the last two scrapes that differed, or why it does
 * not answer and since when. One thread.
 */
public final class WatchedNode {
  private static final double NS_PER_S = 1e9;

  private final String address;
  private @Nullable PrometheusText last;
  private @Nullable NodeFigures figures;
  private @Nullable String failure;
  private long failedAtNs;
  private long nowNs;

  /** Nothing is known so far. */
  public WatchedNode(String address) {
    this.address = address;
  }

  /** It answered so. */
  public void onScrape(PrometheusText text, long nowNs) {
    this.nowNs = nowNs;
    failure = null;
    PrometheusText before = last;
    if (before == null) {
      last = text;
      return;
    }
    if (text.sum(NodeFigures.OBSERVED)
        != before.sum(NodeFigures.OBSERVED)) { // else its counts are those of last time
      figures = NodeFigures.of(before, text);
      last = text;
    }
  }

  /** It did not answer, or not as a node does. */
  public void onFailure(String cause, long nowNs) {
    this.nowNs = nowNs;
    if (failure == null) {
      failedAtNs = nowNs;
    }
    failure = cause;
    figures = null;
    last = null;
  }

  /** Whether it answered last time and its figures are known. */
  public boolean isKnown() {
    return figures != null;
  }

  /** Whether it did not answer last time. */
  public boolean isDown() {
    return failure != null;
  }

  String address() {
    return address;
  }

  @Nullable NodeFigures figures() {
    return figures;
  }

  /** Why it is down, and for how long; empty if it is not. */
  String failure() {
    return failure == null
        ? ""
        : failure + ", for " + Math.round((nowNs - failedAtNs) / NS_PER_S) + " s";
  }

  /** What is known of it, for a program. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("node", address);
    json.put("up", failure == null);
    if (failure != null) {
      json.put("reason", failure);
    }
    NodeFigures known = figures;
    if (known != null) {
      json.putAll(known.json());
    }
    return json;
  }
}
