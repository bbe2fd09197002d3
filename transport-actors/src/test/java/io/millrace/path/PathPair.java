package io.millrace.path;

import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.ends.InlineBodyWork;
import io.millrace.path.network.PairNetwork;
import io.millrace.path.peer.PathLab;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.protocol.congestion.ReceiveBudget;
import java.util.function.BooleanSupplier;

/**
 * Two workers' turns with a path between them, and the datagrams in flight in a list: no actor, no
 * thread, no socket. Time stands still but for {@link #step}. The fields of {@link #network} say
 * how the network treats each datagram.
 */
public final class PathPair {
  private static final int BLOCKS = 16;
  private static final long STEP_NS = 100_000;
  private static final AeadProvider AEAD = AeadProviders.discover().select(0);

  /** A worker of the pair, with its end of the network. */
  private static final class PairLab extends PathLab {
    private final PairNetwork.End end;

    private PairLab(PairNetwork.End end) {
      super(
          end,
          PairNetwork.BUFFERS,
          "",
          AEAD,
          BLOCKS,
          new ReceiveBudget(0, 0),
          new InlineBodyWork());
      this.end = end;
    }

    @Override
    protected void poll(CompletionHandler turn) {
      end.poll(turn, nowNs);
    }
  }

  /** A worker of the pair, with its end of the path. */
  public static final class Side {
    public final PathLab lab;
    public final PeerLink link;
    private final PeerPath path;

    /** The bytes of the datagrams that the side has sent. */
    public long sentBytes;

    private Side(PairNetwork.End end, boolean isInitiator, long windowBytes)
        throws DriverException {
      lab = new PairLab(end);
      link = lab.link(1);
      path = lab.open(link, PathLab.terms(1, isInitiator, windowBytes));
    }

    public PeerPath path() {
      return path;
    }
  }

  public final PairNetwork network;
  public final Side left;
  public final Side right;

  public PathPair(long seed) throws DriverException {
    this(seed, PathLab.WINDOW_BYTES);
  }

  /** A pair whose sides may send each other this number of bytes of inline credit unasked. */
  public PathPair(long seed, long windowBytes) throws DriverException {
    network = new PairNetwork(seed, (nowNs, from, lengthBytes, fate) -> onSent(from, lengthBytes));
    left = new Side(network.left(), true, windowBytes);
    right = new Side(network.right(), false, windowBytes);
  }

  private void onSent(PairNetwork.End from, int lengthBytes) {
    Side side = from == network.left() ? left : right;
    side.sentBytes += lengthBytes;
  }

  /** Turns both workers; a step of time goes by. */
  public void step() {
    left.lab.turns(1, STEP_NS);
    right.lab.turns(1, STEP_NS);
  }

  /**
   * Steps until the condition is true; returns false if the condition is still false after so much
   * time of the pair.
   */
  public boolean stepUntil(BooleanSupplier condition, long mostNs) {
    long endNs = left.lab.nowNs + mostNs;
    while (!condition.getAsBoolean()) {
      if (left.lab.nowNs > endNs) {
        return false;
      }
      step();
    }
    return true;
  }
}
