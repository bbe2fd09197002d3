package io.millrace.samples.store;

import io.millrace.api.CallException;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.config.Addresses;
import io.millrace.config.SettingsException;
import io.millrace.samples.store.StoreRoutes.Complete;
import io.millrace.samples.store.StoreRoutes.Drop;
import io.millrace.samples.store.StoreRoutes.Heartbeat;
import io.millrace.samples.store.StoreRoutes.Listing;
import io.millrace.samples.store.StoreRoutes.Named;
import io.millrace.samples.store.StoreRoutes.Register;
import io.millrace.samples.store.StoreRoutes.Request;
import io.millrace.samples.store.StoreRoutes.Session;
import io.millrace.transfer.CallOutcome;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls the coordinator and waits for the answer; for threads that may block. Among several nodes
 * that may be the coordinator, the client asks the node that answered last, then the others. While
 * no node is the coordinator, because of a move, the client asks again for 30 s at most; with a
 * single node, which restarts, for 10 s. Each question may be asked twice. The host of a node may
 * be unknown yet: each call looks the host up again.
 */
public final class CoordinatorClient {
  private static final TransferOptions OPTIONS =
      TransferOptions.DEFAULTS.withPriority(1).withDeadline(Duration.ofSeconds(10));
  private static final Duration MOVE_LIMIT = Duration.ofSeconds(30);
  private static final Duration RESTART_LIMIT = Duration.ofSeconds(10);
  private static final long PAUSE_NS = 200_000_000L;

  /** The outcomes of a call at a node that is not the coordinator, or is down. */
  private static final Set<CallOutcome> ELSEWHERE =
      EnumSet.of(
          CallOutcome.UNKNOWN_ROUTE,
          CallOutcome.SHUTTING_DOWN,
          CallOutcome.HANDSHAKE_FAILED,
          CallOutcome.PEER_UNREACHABLE,
          CallOutcome.PEER_UNRESPONSIVE,
          CallOutcome.PEER_RESET);

  private final Transport transport;
  private final List<String> candidates;

  /** The index of the node that answered last; any thread. */
  private volatile int current;

  /**
   * Makes calls from this node.
   *
   * @param candidates the handshake addresses of all nodes that may be the coordinator
   * @throws IllegalArgumentException if the list is empty
   * @throws SettingsException if an address is malformed
   */
  public CoordinatorClient(Transport transport, List<String> candidates) {
    if (candidates.isEmpty()) {
      throw new IllegalArgumentException("a store has a coordinator");
    }
    candidates.forEach(each -> Addresses.requireForm("the coordinator's address", each));
    this.transport = transport;
    this.candidates = List.copyOf(candidates);
  }

  /** Returns the artifact of a key; empty if the key is unknown. */
  public Optional<String> resolve(String key) throws StoreException, InterruptedException {
    return Optional.ofNullable(ask(StoreRoutes.RESOLVE, new Named(key), true).artifact());
  }

  /** Returns all artifacts and their holders. */
  public Listing list() throws StoreException, InterruptedException {
    return ask(StoreRoutes.LIST, new Named(""), true);
  }

  /**
   * Returns the manifest of an artifact, after a check against the id.
   *
   * @throws StoreException if the artifact is unknown, or the manifest is not the manifest of this
   *     id
   */
  public Manifest manifest(String artifact) throws StoreException, InterruptedException {
    Manifest manifest = ask(StoreRoutes.MANIFEST, new Named(artifact), true);
    if (!manifest.id().equals(artifact)) {
      throw new StoreException("the coordinator gave the manifest of another artifact");
    }
    return manifest;
  }

  /**
   * Claims a source. A claim whose answer was lost ends by itself.
   *
   * @param mayWait whether to wait while the coordinator moves
   */
  Optional<Session> request(Request request, boolean mayWait)
      throws StoreException, InterruptedException {
    return Optional.ofNullable(ask(StoreRoutes.REQUEST, request, mayWait).session());
  }

  void complete(Complete ended) throws StoreException, InterruptedException {
    ask(StoreRoutes.COMPLETE, ended, false);
  }

  void register(Register replica, boolean mayWait) throws StoreException, InterruptedException {
    ask(StoreRoutes.REGISTER, replica, mayWait);
  }

  void drop(Drop dropped) throws StoreException, InterruptedException {
    ask(StoreRoutes.DROP, dropped, false);
  }

  /** Returns whether the coordinator knew this daemon. */
  boolean heartbeat(Heartbeat beat, boolean mayWait) throws StoreException, InterruptedException {
    return ask(StoreRoutes.HEARTBEAT, beat, mayWait).isKnown();
  }

  private <Q, R> R ask(Route<Q, R> route, Q request, boolean mayWait)
      throws StoreException, InterruptedException {
    long startNs = System.nanoTime();
    int failures = 0;
    while (true) {
      int asked = current;
      Exception failure;
      try {
        return transport.peer(candidates.get(asked)).unary(route, request, OPTIONS).get();
      } catch (ExecutionException e) {
        failure = e.getCause() instanceof Exception cause ? cause : e;
      } catch (SettingsException e) {
        failure = e;
      }
      failures++;
      boolean isOver = !mayWait || System.nanoTime() - startNs > limit().toNanos();
      if (!isElsewhere(failure) || isOver && failures >= candidates.size()) {
        throw new StoreException("the coordinator: " + failure.getMessage(), failure);
      }
      current = (asked + 1) % candidates.size();
      if (failures % candidates.size() == 0) {
        pause();
      }
    }
  }

  private Duration limit() {
    return candidates.size() == 1 ? RESTART_LIMIT : MOVE_LIMIT;
  }

  private static void pause() throws InterruptedException {
    LockSupport.parkNanos(PAUSE_NS);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private static boolean isElsewhere(Exception cause) {
    return cause instanceof SettingsException
        || cause instanceof CallException failure && ELSEWHERE.contains(failure.outcome());
  }
}
