package io.millrace.actor.peer;

import io.millrace.actor.dispatcher.EventLoop;
import io.millrace.actor.nic.WorkerEndpoints;
import io.millrace.actor.packet.PathTerms;
import io.millrace.actor.packet.PeerIncarnation;
import io.millrace.actor.packet.WorkerEnd;
import io.millrace.driver.DriverException;
import io.millrace.protocol.health.HealthObservation;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CloseReason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Owns one peer on one worker: asks for handshakes, opens and closes its paths. Runs on the
 * worker's thread, so the worker's duty cycle calls the paths directly; what it catches there comes
 * back as {@link PeerCommand.Faulted}, is thrown here, and supervision restarts this actor with the
 * peer's transfers failed and nobody else's.
 */
public final class PeerActor extends AbstractBehavior<PeerCommand> implements PeerPath.Owner {
  /** Both sides may begin a handshake at the same time. */
  private static final int MAX_PATHS = 2;

  private final WorkerServices services;
  private final PeerLink link;
  private final HandshakePort handshakes;
  private final List<PeerPath> paths = new ArrayList<>();
  private @Nullable PeerIncarnation incarnation;
  private boolean asked;

  /** The peer of {@code link} on the worker of {@code services}. */
  public static Behavior<PeerCommand> create(
      WorkerServices services, PeerLink link, HandshakePort handshakes) {
    return Behaviors.setup(context -> new PeerActor(context, services, link, handshakes));
  }

  private PeerActor(
      ActorContext<PeerCommand> context,
      WorkerServices services,
      PeerLink link,
      HandshakePort handshakes) {
    super(context);
    this.services = services;
    this.link = link;
    this.handshakes = handshakes;
    link.onWheel(services.context().wheel());
    link.onSearchSettings(services.context().settings().recovery().health().search());
    link.onConnector(() -> context.getSelf().tell(new PeerCommand.WantPath()));
  }

  @Override
  public Receive<PeerCommand> createReceive() {
    return newReceiveBuilder()
        .onMessage(PeerCommand.WantPath.class, command -> onWantPath())
        .onMessage(PeerCommand.OpenPath.class, this::onOpenPath)
        .onMessage(PeerCommand.HandshakeFailed.class, this::onHandshakeFailed)
        .onMessage(PeerCommand.Faulted.class, this::onFaulted)
        .onMessage(PeerCommand.GiveUp.class, this::onGiveUp)
        .onMessage(PeerCommand.Yield.class, command -> onYield())
        .onMessage(PeerCommand.Close.class, command -> Behaviors.stopped())
        .onSignal(PreRestart.class, signal -> onRestart())
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private Behavior<PeerCommand> onWantPath() {
    if (!services.endpoints().isAnyUp()) {
      WorkerEndpoints endpoints = services.endpoints();
      link.onConnectFailed(
          CallOutcome.PEER_UNREACHABLE,
          "no NIC of this node is up that could lead to "
              + link.identity()
              + ": "
              + endpoints.nics(IntStream.range(0, endpoints.size()))
              + "; this was not sent");
      return this;
    }
    if (!asked) {
      // A link that lost its path while this actor restarted asks twice.
      asked = true;
      handshakes.connect(link.identity(), services.worker());
    }
    return this;
  }

  private Behavior<PeerCommand> onOpenPath(PeerCommand.OpenPath command) {
    PathTerms terms = command.terms();
    asked = false;
    if (!handshakes.isNewest(terms.peer())) {
      dropFormer(terms);
      return this;
    }
    if (!terms.peer().equals(incarnation)) {
      // Those of the same peer were ended before; another may answer at this address now.
      closePaths(CloseReason.SUPERSEDED, CallOutcome.PEER_RESET, link.identity() + " restarted");
      incarnation = terms.peer();
    }
    // Of the same life: the peer was asked about the path that is open, which may be all right.
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
    return this;
  }

  /** A spare path does not replace one that may be all right: it is there for a second at most. */
  private void dropOldest(boolean isSpare) {
    int most = isSpare ? MAX_PATHS + 1 : MAX_PATHS;
    if (paths.size() > most) {
      paths
          .get(isSpare ? 1 : 0)
          .close(CloseReason.SUPERSEDED, CallOutcome.PEER_RESET, "newer paths replaced this one");
    }
  }

  /** Calls go on the path that is open until the peer says that it does not know that. */
  private void onSpare(PeerPath path, boolean initiator) {
    paths.addFirst(path);
    if (initiator) {
      path.awaitVerdict();
    }
  }

  /** A newer life of the peer has proved itself since: whoever asked for a path wants one to it. */
  private void dropFormer(PathTerms terms) {
    PathRefusal.drop(services, terms);
    if (terms.initiator()) {
      onWantPath();
    }
    handshakes.onPathEnded(link.identity(), terms.peer());
  }

  private Behavior<PeerCommand> onHandshakeFailed(PeerCommand.HandshakeFailed command) {
    asked = false;
    // The worker may have stood still since its wheel last turned.
    long nowNs = EventLoop.current().nowNs();
    for (PeerPath path : List.copyOf(paths)) {
      path.packets().onAskFailed(nowNs);
    }
    failConnect(command.reason());
    return this;
  }

  private void failConnect(String reason) {
    link.onConnectFailed(CallOutcome.HANDSHAKE_FAILED, link.identity() + ": " + reason);
  }

  private Behavior<PeerCommand> onGiveUp(PeerCommand.GiveUp command) {
    // First the health: what waits is refused by it when its path ends.
    link.health()
        .on(
            services.worker(),
            HealthObservation.GIVEN_UP,
            EventLoop.current().nowNs(),
            command.cause());
    closePaths(
        CloseReason.PEER_FAULT,
        CallOutcome.PEER_UNRESPONSIVE,
        link.identity() + " was given up: " + command.cause());
    link.onGivenUp();
    return this;
  }

  private Behavior<PeerCommand> onYield() {
    closePaths(
        CloseReason.YIELDED,
        CallOutcome.PEER_RESET,
        link.identity() + " gave its place to a peer of an identity that has fewer places");
    return this;
  }

  private Behavior<PeerCommand> onFaulted(PeerCommand.Faulted command) {
    if (!paths.contains(command.path())) {
      return this;
    }
    throw new PeerFaultException(link.identity(), command.fault());
  }

  private Behavior<PeerCommand> onRestart() {
    closePaths(
        CloseReason.PEER_FAULT, CallOutcome.PEER_FAULT, "this side's handling of the peer failed");
    return this;
  }

  private Behavior<PeerCommand> onStop() {
    WorkerEnd end = services.context().end();
    closePaths(CloseReason.SHUTDOWN, end.outcome(), end.text());
    link.close(end);
    return this;
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
    getContext().getSelf().tell(new PeerCommand.Faulted(path, fault));
  }
}
