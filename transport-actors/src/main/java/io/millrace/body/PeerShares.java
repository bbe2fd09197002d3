package io.millrace.body;

import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferShare;
import io.millrace.buffer.ByteBudget;
import io.millrace.config.TransferSettings;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory of a node for the bodies of each peer, over all paths of the peer. A peer may have
 * {@code millrace.transfers.buffer-pool-per-peer} of the memory of sealed bytes, and {@code
 * millrace.transfers.assembly-per-peer} of the memory for putting messages together. A share is
 * kept as long as the peer has a path with bodies, or uses a part of the share. Any thread may use
 * the shares.
 */
public final class PeerShares {
  private final BufferRegistry buffers;
  private final TransferSettings settings;
  private final ConcurrentHashMap<String, Share> shares = new ConcurrentHashMap<>();

  /** The memory taken by the bodies of one peer. */
  public static final class Share {
    private final BufferShare buffers;
    private final ByteBudget assembly;
    private final AtomicInteger paths = new AtomicInteger();

    private Share(BufferShare buffers, ByteBudget assembly) {
      this.buffers = buffers;
      this.assembly = assembly;
    }

    /** Memory of sealed bytes for the peer. */
    BufferShare buffers() {
      return buffers;
    }

    /** Memory for putting the peer's messages together. */
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

  /** The number of peers with a share now. */
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

  /** The path of a peer has no bodies any more. Shares in use at their last end go, too. */
  public void close(Share share) {
    share.paths.decrementAndGet();
    for (String peer : shares.keySet()) {
      shares.computeIfPresent(peer, (key, known) -> known.isUnused() ? null : known);
    }
  }
}
