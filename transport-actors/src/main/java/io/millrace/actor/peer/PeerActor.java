package io.millrace.actor.peer;

import io.millrace.actor.packet.PathTerms;
import io.millrace.actor.packet.PeerIncarnation;
import io.millrace.actor.packet.WorkerEnd;
import io.millrace.driver.DriverException;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CloseReason;
import java.util.ArrayList;
import java.util.List;
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
    link.onConnector(() -> context.getSelf().tell(new PeerCommand.WantPath()));
  }

  @Override
  public Receive<PeerCommand> createReceive() {
    return newReceiveBuilder()
        .onMessage(PeerCommand.WantPath.class, command -> onWantPath())
        .onMessage(PeerCommand.OpenPath.class, this::onOpenPath)
        .onMessage(PeerCommand.HandshakeFailed.class, this::onHandshakeFailed)
        .onMessage(PeerCommand.Faulted.class, this::onFaulted)
        .onMessage(PeerCommand.Close.class, command -> Behaviors.stopped())
        .onSignal(PreRestart.class, signal -> onRestart())
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private Behavior<PeerCommand> onWantPath() {
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
    try {
      PeerPath path = PeerPath.open(services, this, link, terms);
      paths.add(path);
      link.onPathOpened(path);
    } catch (DriverException e) {
      PathRefusal.drop(services, terms);
      handshakes.onPathEnded(link.identity(), terms.peer());
      failConnect(String.valueOf(e.getMessage()));
    }
    if (paths.size() > MAX_PATHS) {
      paths
          .getFirst()
          .close(CloseReason.SUPERSEDED, CallOutcome.PEER_RESET, "newer paths replaced this one");
    }
    return this;
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
    failConnect(command.reason());
    return this;
  }

  private void failConnect(String reason) {
    link.onConnectFailed(CallOutcome.HANDSHAKE_FAILED, link.identity() + ": " + reason);
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
    link.onPathClosed(path);
    handshakes.onPathEnded(link.identity(), path.incarnation());
  }

  @Override
  public void onPathFault(PeerPath path, Throwable fault) {
    getContext().getSelf().tell(new PeerCommand.Faulted(path, fault));
  }
}
