package io.millrace.ends;

import io.millrace.buffer.ByteBudget;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory of a node for arrived elements: elements that wait for their application share {@code
 * millrace.streams.budget}, and the part of an element beyond its flow's window comes from {@code
 * millrace.transfers.assembly} during the element's assembly. Of either a peer has no more than
 * {@code millrace.streams.per-peer}, over all its paths. A share is kept as long as the peer has a
 * path, or elements of the peer wait. Any thread.
 */
public final class StreamBudget {
  private final ByteBudget waiting;
  private final ByteBudget assembly;
  private final long perPeerBytes;
  private final ConcurrentHashMap<String, Share> shares = new ConcurrentHashMap<>();

  /** The memory of one peer's elements. */
  static final class Share {
    private final ByteBudget waiting;
    private final ByteBudget assembly;
    private final AtomicInteger paths = new AtomicInteger();

    private Share(long mostBytes) {
      waiting = new ByteBudget(mostBytes);
      assembly = new ByteBudget(mostBytes);
    }

    ByteBudget waiting() {
      return waiting;
    }

    ByteBudget assembly() {
      return assembly;
    }

    private boolean isUnused() {
      return paths.get() == 0 && waiting.usedBytes() == 0 && assembly.usedBytes() == 0;
    }
  }

  /**
   * Creates a budget with all bytes free.
   *
   * @param waiting for elements that wait for their application
   * @param assembly shared with the assembly of messages
   * @param perPeerBytes most bytes of each budget that a peer may have
   */
  public StreamBudget(ByteBudget waiting, ByteBudget assembly, long perPeerBytes) {
    this.waiting = waiting;
    this.assembly = assembly;
    this.perPeerBytes = perPeerBytes;
  }

  /** The elements that wait for their application, of all peers. */
  public ByteBudget waiting() {
    return waiting;
  }

  ByteBudget assembly() {
    return assembly;
  }

  /** The number of peers with a share now. */
  public int shares() {
    return shares.size();
  }

  /** A further path of a peer takes elements. */
  public PathElements open(String peer) {
    Share share =
        shares.compute(
            peer,
            (key, known) -> {
              Share taken = known == null ? new Share(perPeerBytes) : known;
              taken.paths.incrementAndGet();
              return taken;
            });
    return new PathElements(this, peer, share);
  }

  /** The path of a peer takes no more. */
  void close(String peer) {
    shares.computeIfPresent(
        peer,
        (key, share) -> {
          share.paths.decrementAndGet();
          return share.isUnused() ? null : share;
        });
  }

  /** Something was given back to a share. */
  void onGivenBack(String peer, Share share) {
    if (share.isUnused()) {
      shares.computeIfPresent(
          peer, (key, known) -> known == share && share.isUnused() ? null : known);
    }
  }
}
