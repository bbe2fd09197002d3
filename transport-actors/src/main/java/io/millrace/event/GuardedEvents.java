package io.millrace.event;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Keeps what a subscriber throws from whoever tells it: a worker goes on, and no peer suffers. The
 * first throw is reported, then the second, the fourth and so on, for what happens with each packet
 * would be reported with each packet. On any thread, as its subscriber; does not allocate.
 */
public final class GuardedEvents implements TransportEvents {
  private final TransportEvents subscriber;
  private final Consumer<Throwable> report;
  private final AtomicLong thrown = new AtomicLong();

  private GuardedEvents(TransportEvents subscriber, Consumer<Throwable> report) {
    this.subscriber = subscriber;
    this.report = report;
  }

  /**
   * The same events, of which none throws.
   *
   * @param report is given what the subscriber throws; must not throw
   */
  public static TransportEvents of(TransportEvents subscriber, Consumer<Throwable> report) {
    return subscriber.equals(TransportEvents.NONE)
        ? subscriber
        : new GuardedEvents(subscriber, report);
  }

  private void onThrown(Throwable cause) {
    if (Long.bitCount(thrown.incrementAndGet()) == 1) {
      report.accept(cause);
    }
  }

  @Override
  public void onDriverPassedOver(String driver, String reason) {
    try {
      subscriber.onDriverPassedOver(driver, reason);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onWorkerStarted(int worker, String thread, int core) {
    try {
      subscriber.onWorkerStarted(worker, thread, core);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onPinFailed(int worker, int core, String reason) {
    try {
      subscriber.onPinFailed(worker, core, reason);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onMemoryPlaced(int worker, int node, long remoteBytes) {
    try {
      subscriber.onMemoryPlaced(worker, node, remoteBytes);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onResourceDegraded(int worker, String what) {
    try {
      subscriber.onResourceDegraded(worker, what);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onHandshakeStarted(String peer) {
    try {
      subscriber.onHandshakeStarted(peer);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onHandshakeCompleted(String peer, long rttNs) {
    try {
      subscriber.onHandshakeCompleted(peer, rttNs);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onHandshakeFailed(String peer, String reason) {
    try {
      subscriber.onHandshakeFailed(peer, reason);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onHandshakeRefused(String remote, String reason, long count) {
    try {
      subscriber.onHandshakeRefused(remote, reason, count);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onHandshakeFault(Throwable fault) {
    try {
      subscriber.onHandshakeFault(fault);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onPathOpened(int worker, String peer, long pathId) {
    try {
      subscriber.onPathOpened(worker, peer, pathId);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onPathClosed(int worker, String peer, long pathId, String reason) {
    try {
      subscriber.onPathClosed(worker, peer, pathId, reason);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onPeerFault(int worker, String peer, Throwable fault) {
    try {
      subscriber.onPeerFault(worker, peer, fault);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onCompletionFault(int worker, String peer, Throwable fault) {
    try {
      subscriber.onCompletionFault(worker, peer, fault);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onHandlerFault(
      String peer, String route, String pattern, Throwable fault, long count) {
    try {
      subscriber.onHandlerFault(peer, route, pattern, fault, count);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onPeerHealthChanged(int worker, String peer, String from, String to) {
    try {
      subscriber.onPeerHealthChanged(worker, peer, from, to);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onPeerDraining(int worker, String peer) {
    try {
      subscriber.onPeerDraining(worker, peer);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onPeerUnreachable(int worker, String peer) {
    try {
      subscriber.onPeerUnreachable(worker, peer);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onProtocolViolation(int worker, String peer, String what) {
    try {
      subscriber.onProtocolViolation(worker, peer, what);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onPacketDropped(int worker, DropReason reason) {
    try {
      subscriber.onPacketDropped(worker, reason);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onPacketLost(int worker, String peer, long packetNumber, int bytes) {
    try {
      subscriber.onPacketLost(worker, peer, packetNumber, bytes);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onWriteRejected(int worker, String peer, String reason, int region) {
    try {
      subscriber.onWriteRejected(worker, peer, reason, region);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onStaleWrite(int worker, String peer, String reason, int region, long count) {
    try {
      subscriber.onStaleWrite(worker, peer, reason, region, count);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onRecordNotAuthentic(int worker, String peer, int region, int record) {
    try {
      subscriber.onRecordNotAuthentic(worker, peer, region, record);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onKeyRotated(int worker, String peer, int keyId) {
    try {
      subscriber.onKeyRotated(worker, peer, keyId);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onPathMaxDatagramChanged(int worker, String peer, int bytes) {
    try {
      subscriber.onPathMaxDatagramChanged(worker, peer, bytes);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onBufferLeaked(String owner, long bytes, int references) {
    try {
      subscriber.onBufferLeaked(owner, bytes, references);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onDependencyFailed(int worker, String token, String root) {
    try {
      subscriber.onDependencyFailed(worker, token, root);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onScopeLeaked(int open) {
    try {
      subscriber.onScopeLeaked(open);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onWorkerStopped(int worker, String reason) {
    try {
      subscriber.onWorkerStopped(worker, reason);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  @Override
  public void onWorkerFault(int worker, Throwable fault) {
    try {
      subscriber.onWorkerFault(worker, fault);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }
}
