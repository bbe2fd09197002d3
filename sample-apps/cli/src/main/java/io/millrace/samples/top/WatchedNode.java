package io.millrace.samples.top;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of {@code top} about one node: figures of the last two different scrapes, or the
 * reason and the beginning of its silence. A single thread uses a node.
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

  /** Takes an answer of the node. */
  public void onScrape(PrometheusText text, long nowNs) {
    this.nowNs = nowNs;
    failure = null;
    PrometheusText before = last;
    if (before == null) {
      last = text;
      return;
    }
    if (text.sum(NodeFigures.OBSERVED)
        != before.sum(NodeFigures.OBSERVED)) { // else the counts are the same as last time
      figures = NodeFigures.of(before, text);
      last = text;
    }
  }

  /** The node did not answer, or answered no metrics. */
  public void onFailure(String cause, long nowNs) {
    this.nowNs = nowNs;
    if (failure == null) {
      failedAtNs = nowNs;
    }
    failure = cause;
    figures = null;
    last = null;
  }

  /** Returns whether the node answered last time and its figures are known. */
  public boolean isKnown() {
    return figures != null;
  }

  /** Returns whether the node did not answer last time. */
  public boolean isDown() {
    return failure != null;
  }

  String address() {
    return address;
  }

  @Nullable NodeFigures figures() {
    return figures;
  }

  /** Returns the reason and the length of the failure; empty for a node that is up. */
  String failure() {
    return failure == null
        ? ""
        : failure + ", for " + Math.round((nowNs - failedAtNs) / NS_PER_S) + " s";
  }

  /** Returns all known facts of the node, for a program. */
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
