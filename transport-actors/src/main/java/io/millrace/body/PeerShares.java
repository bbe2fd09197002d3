package io.millrace.body;

import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferShare;
import io.millrace.buffer.ByteBudget;
import io.millrace.config.TransferSettings;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What each peer may have of a node's memory for bodies, over all its paths: of the memory of
 * sealed bytes {@code millrace.transfers.buffer-pool-per-peer}, of that for messages that are put
 * together {@code millrace.transfers.assembly-per-peer}. A share is kept as long as the peer has a
 * path with bodies, or something of it is in use. Any thread.
 */
public final class PeerShares {
  private final BufferRegistry buffers;
  private final TransferSettings settings;
  private final ConcurrentHashMap<String, Share> shares = new ConcurrentHashMap<>();

  /** What one peer's bodies take. */
  public static final class Share {
    private final BufferShare buffers;
    private final ByteBudget assembly;
    private final AtomicInteger paths = new AtomicInteger();

    private Share(BufferShare buffers, ByteBudget assembly) {
      this.buffers = buffers;
      this.assembly = assembly;
    }

    /** Memory of sealed bytes for it. */
    BufferShare buffers() {
      return buffers;
    }

    /** Memory for its messages that are put together. */
    ByteBudget assembly() {
      return assembly;
    }

    private boolean isUnused() {
      return paths.get() == 0 && buffers.usedBytes() == 0 && assembly.usedBytes() == 0;
    }
  }

  PeerShares(BufferRegistry buffers, TransferSettings settings) {
    this.buffers = buffers;
    this.settings = settings;
  }

  /** How many peers have a share now. */
  int count() {
    return shares.size();
  }

  /** One more path of a peer has bodies. */
  public Share open(String peer) {
    return shares.compute(
        peer,
        (key, known) -> {
          Share share = known == null ? newShare() : known;
          share.paths.incrementAndGet();
          return share;
        });
  }

  private Share newShare() {
    return new Share(
        buffers.share(settings.bufferPoolPerPeerBytes()),
        new ByteBudget(settings.assemblyPerPeerBytes()));
  }

  /** The path of a peer has none any more. Shares that were in use at their last end go, too. */
  public void close(Share share) {
    share.paths.decrementAndGet();
    for (String peer : shares.keySet()) {
      shares.computeIfPresent(peer, (key, known) -> known.isUnused() ? null : known);
    }
  }
}
