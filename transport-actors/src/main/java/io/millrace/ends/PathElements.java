package io.millrace.ends;

import io.millrace.buffer.ByteBudget;
import io.millrace.protocol.stream.ElementMemory;

/**
 * Memory for the elements that come on a path: from the peer's share and from the node's memory.
 * Set aside on the worker's thread; given back on any, also when the path is over.
 */
public final class PathElements implements ElementMemory {
  private static final String SHARE =
      "elements of one peer take all that millrace.streams.per-peer leaves it of"
          + " millrace.streams.budget or millrace.transfers.assembly";
  private static final String ALL =
      "elements take all of millrace.streams.budget or millrace.transfers.assembly";

  private final StreamBudget node;
  private final String peer;
  private final StreamBudget.Share share;
  private String lacking = "";

  PathElements(StreamBudget node, String peer, StreamBudget.Share share) {
    this.node = node;
    this.peer = peer;
    this.share = share;
  }

  /** The reason of the last failed reservation. */
  public String lacking() {
    return lacking;
  }

  @Override
  public boolean reserve(long bytes) {
    return reserve(bytes, share.waiting(), node.waiting());
  }

  @Override
  public boolean reserveAssembly(long bytes) {
    return reserve(bytes, share.assembly(), node.assembly());
  }

  private boolean reserve(long bytes, ByteBudget own, ByteBudget all) {
    if (!own.reserve(bytes)) {
      lacking = SHARE;
      return false;
    }
    if (!all.reserve(bytes)) {
      own.giveBack(bytes);
      lacking = ALL;
      return false;
    }
    return true;
  }

  @Override
  public void giveBack(long bytes) {
    giveBack(bytes, share.waiting(), node.waiting());
  }

  @Override
  public void giveBackAssembly(long bytes) {
    giveBack(bytes, share.assembly(), node.assembly());
  }

  private void giveBack(long bytes, ByteBudget own, ByteBudget all) {
    all.giveBack(bytes);
    own.giveBack(bytes);
    node.onGivenBack(peer, share);
  }

  /** The path is over: the path sets no memory aside any more. */
  public void close() {
    node.close(peer);
  }
}
