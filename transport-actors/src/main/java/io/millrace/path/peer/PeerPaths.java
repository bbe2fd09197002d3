package io.millrace.path.peer;

import io.millrace.driver.DriverException;
import io.millrace.path.network.PathNetwork;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerEnd;
import io.millrace.protocol.health.HealthObservation;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CloseReason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The paths of one peer on one worker: asks for handshakes, opens, replaces and closes paths. The
 * peer's actor owns these paths and hands them the commands; the worker's duty cycle calls through
 * the paths, on the same thread. A fault of a path goes to the actor of the path.
 */
public final class PeerPaths implements PeerPath.Owner {
  /** Both sides may begin a handshake at the same time. */
  private static final int MAX_PATHS = 2;

  private final WorkerServices services;
  private final PeerLink link;
  private final HandshakePort handshakes;
  private final BiConsumer<PeerPath, Throwable> faults;
  private final List<PeerPath> paths = new ArrayList<>();
  private @Nullable PeerIncarnation incarnation;
  private boolean asked;

  /**
   * The paths of a peer, so far without a path.
   *
   * @param connector is run when calls wait for a path
   * @param faults told of a path whose handling threw
   */
  public PeerPaths(
      WorkerServices services,
      PeerLink link,
      HandshakePort handshakes,
      Runnable connector,
      BiConsumer<PeerPath, Throwable> faults) {
    this.services = services;
    this.link = link;
    this.handshakes = handshakes;
    this.faults = faults;
    link.onTime(services.context().time());
    link.onSearchSettings(services.context().settings().recovery().health().search());
    link.onConnector(connector);
  }

  /** Calls wait for a path: asks for a handshake, unless one is under way. */
  public void want() {
    PathNetwork network = services.network();
    if (IntStream.range(0, network.size()).noneMatch(network::isUp)) {
      link.onConnectFailed(
          CallOutcome.PEER_UNREACHABLE,
          "no NIC of this node is up that could lead to "
              + link.identity()
              + ": "
              + network.nics(IntStream.range(0, network.size()))
              + "; this was not sent");
      return;
    }
    if (!asked) {
      // A link that lost its path during a restart of this actor asks twice.
      asked = true;
      handshakes.connect(link.identity(), services.worker());
    }
  }

  /** A handshake settled these terms. */
  public void open(PathTerms terms) {
    asked = false;
    if (!handshakes.isNewest(terms.peer())) {
      dropFormer(terms);
      return;
    }
    if (!terms.peer().equals(incarnation)) {
      // Paths to former lives of the same peer were ended before; another peer may answer at this
      // address now.
      closePaths(CloseReason.SUPERSEDED, CallOutcome.PEER_RESET, link.identity() + " restarted");
      incarnation = terms.peer();
    }
    // Of the same life: the handshake asked the peer about the open path, which may be all right.
    boolean isSpare = terms.asked().isDoubt() && !terms.asked().isLost() && link.path() != null;
    try {
      PeerPath path = PeerPath.open(services, this, link, terms);
      if (isSpare) {
        onSpare(path, terms.initiator());
      } else {
        paths.add(path);
        link.onPathOpened(path);
      }
    } catch (DriverException e) {
      PathRefusal.drop(services, terms);
      handshakes.onPathEnded(link.identity(), terms.peer());
      failConnect(String.valueOf(e.getMessage()));
    }
    dropOldest(isSpare);
  }

  /**
   * A spare path does not replace a path that may be all right: the spare path is open for a second
   * at most.
   */
  private void dropOldest(boolean isSpare) {
    int most = isSpare ? MAX_PATHS + 1 : MAX_PATHS;
    if (paths.size() > most) {
      paths
          .get(isSpare ? 1 : 0)
          .close(CloseReason.SUPERSEDED, CallOutcome.PEER_RESET, "newer paths replaced this one");
    }
  }

  /** Calls go on the open path until the peer says that the peer does not know this path. */
  private void onSpare(PeerPath path, boolean initiator) {
    paths.addFirst(path);
    if (initiator) {
      path.awaitVerdict();
    }
  }

  /**
   * A newer life of the peer has proved itself since: the requester of a path wants a path to the
   * newer life.
   */
  private void dropFormer(PathTerms terms) {
    PathRefusal.drop(services, terms);
    if (terms.initiator()) {
      want();
    }
    handshakes.onPathEnded(link.identity(), terms.peer());
  }

  /** The handshake asked for by this peer's paths failed. */
  public void onHandshakeFailed(String reason) {
    asked = false;
    // The worker may have stood still since the last turn of its wheel.
    long nowNs = services.context().time().turnNs();
    for (PeerPath path : List.copyOf(paths)) {
      path.packets().onAskFailed(nowNs);
    }
    failConnect(reason);
  }

  private void failConnect(String reason) {
    link.onConnectFailed(CallOutcome.HANDSHAKE_FAILED, link.identity() + ": " + reason);
  }

  /** The application knows that the peer is gone, for this reason. */
  public void giveUp(String cause) {
    // First the health: calls waiting at the end of their path are refused because of the health.
    link.health()
        .on(
            services.worker(),
            HealthObservation.GIVEN_UP,
            services.context().time().turnNs(),
            cause);
    closePaths(
        CloseReason.PEER_FAULT,
        CallOutcome.PEER_UNRESPONSIVE,
        link.identity() + " was given up: " + cause);
    link.onGivenUp();
  }

  /** Another peer has taken the place of this peer. */
  public void yieldPlace() {
    closePaths(
        CloseReason.YIELDED,
        CallOutcome.PEER_RESET,
        link.identity() + " gave its place to a peer of an identity that has fewer places");
  }

  /** Whether the path is still among these paths. */
  public boolean holds(PeerPath path) {
    return paths.contains(path);
  }

  /** Handling the peer failed: all paths of the peer end, and no path of other peers. */
  public void onFault() {
    closePaths(
        CloseReason.PEER_FAULT, CallOutcome.PEER_FAULT, "this side's handling of the peer failed");
  }

  /** The transport or the worker ends: closes all paths. */
  public void close() {
    WorkerEnd end = services.context().end();
    closePaths(CloseReason.SHUTDOWN, end.outcome(), end.text());
    link.close(end);
  }

  private void closePaths(CloseReason reason, CallOutcome outcome, String text) {
    for (PeerPath path : List.copyOf(paths)) {
      path.close(reason, outcome, text);
    }
  }

  @Override
  public void onPathEnded(PeerPath path) {
    paths.remove(path);
    if (link.path() == path && !paths.isEmpty()) {
      PeerPath next = paths.getLast();
      next.packets().renewal().onVerdict();
      link.onPathOpened(next);
    }
    link.onPathClosed(path);
    handshakes.onPathEnded(link.identity(), path.incarnation());
  }

  @Override
  public void onRenewalDue(PeerPath path) {
    handshakes.renew(link.identity(), services.worker(), path.wireId(), path.incarnation());
  }

  @Override
  public boolean isAsked() {
    return asked;
  }

  @Override
  public void onDoubt(PeerPath path, long wireId) {
    if (!asked) {
      asked = true;
      handshakes.ask(link.identity(), services.worker(), wireId);
    }
  }

  @Override
  public void onSecret(PeerPath path, long wireId) {
    handshakes.onSecret(wireId, services.worker(), path.incarnation(), path.pathId());
  }

  @Override
  public void onSecretGone(long wireId) {
    handshakes.onSecretGone(wireId);
  }

  @Override
  public void onPathFault(PeerPath path, Throwable fault) {
    faults.accept(path, fault);
  }
}
