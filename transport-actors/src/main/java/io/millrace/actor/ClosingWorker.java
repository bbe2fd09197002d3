package io.millrace.actor;

import io.millrace.loop.EventLoop;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.peer.HandshakePort;
import io.millrace.path.peer.PathRefusal;
import io.millrace.path.peer.WorkerRemains;
import io.millrace.path.peer.WorkerServices;
import io.millrace.worker.ConnectFailedException;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * A worker that ends: the actors of its peers stop, which closes the peers' paths, and the worker's
 * duty cycle goes on until the peers were told or the telling takes too long. Nothing new is begun.
 * On the worker's thread.
 */
final class ClosingWorker extends AbstractBehavior<WorkerCommand> {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

  /** A peer that cannot be told in this time finds out by itself. */
  private static final long LONGEST_NS = 500_000_000;

  private final EventLoop loop = EventLoop.current();
  private final WorkerServices services;
  private final ActorRef<RegionPoolActor.Command> regionPool;
  private final HandshakePort handshakes;
  private final Runnable onStop;
  private final long sinceNs;
  private int peersLeft;

  /**
   * Begins to end.
   *
   * @param peers the actors of the worker's peers
   * @param regionPool owns the worker's regions, until the peers were told
   * @param handshakes is told when earlier lives of a peer are fenced here
   * @param onStop runs at the end of the actor
   */
  static Behavior<WorkerCommand> create(
      WorkerServices services,
      List<ActorRef<PeerCommand>> peers,
      ActorRef<RegionPoolActor.Command> regionPool,
      HandshakePort handshakes,
      Runnable onStop) {
    return Behaviors.setup(
        context -> new ClosingWorker(context, services, peers, regionPool, handshakes, onStop));
  }

  private ClosingWorker(
      ActorContext<WorkerCommand> context,
      WorkerServices services,
      List<ActorRef<PeerCommand>> peers,
      ActorRef<RegionPoolActor.Command> regionPool,
      HandshakePort handshakes,
      Runnable onStop) {
    super(context);
    this.services = services;
    this.regionPool = regionPool;
    this.handshakes = handshakes;
    this.onStop = onStop;
    sinceNs = loop.nowNs();
    peersLeft = peers.size();
    for (ActorRef<PeerCommand> peer : peers) {
      context.watch(peer);
      // Not stopped from outside: the actor's earlier commands, a new path say, have an owner then.
      peer.tell(new PeerCommand.Close());
    }
    if (peers.isEmpty()) {
      context.getSelf().tell(new WorkerCommand.Close());
    }
  }

  @Override
  public Receive<WorkerCommand> createReceive() {
    return newReceiveBuilder()
        .onMessage(WorkerCommand.Close.class, command -> onLook())
        .onMessage(WorkerCommand.OpenPath.class, command -> drop(command.terms()))
        .onMessage(WorkerCommand.InstallSecret.class, this::onInstallSecret)
        .onMessage(WorkerCommand.FencePeer.class, this::onFencePeer)
        .onMessage(WorkerCommand.RefusePath.class, command -> drop(command.terms()))
        .onMessage(WorkerCommand.EndRefusedPath.class, command -> drop(command.terms()))
        .onMessage(WorkerCommand.Connect.class, this::onConnect)
        .onMessage(WorkerCommand.Drain.class, this::onDrain)
        .onMessage(WorkerCommand.TakeRegionCensus.class, this::onTakeRegionCensus)
        .onAnyMessage(command -> this)
        .onSignal(Terminated.class, this::onStopped)
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  private Behavior<WorkerCommand> onStopped(Terminated stopped) {
    if (stopped.getRef().path().equals(regionPool.path())) {
      return Behaviors.stopped();
    }
    peersLeft--;
    return peersLeft == 0 ? onLook() : this;
  }

  private Behavior<WorkerCommand> onLook() {
    if (peersLeft > 0) {
      return this;
    }
    if (services.packets().closes().isEmpty() || loop.nowNs() - sinceNs >= LONGEST_NS) {
      return Behaviors.stopped();
    }
    getContext().scheduleOnce(LOOK_AGAIN, getContext().getSelf(), new WorkerCommand.Close());
    return this;
  }

  private Behavior<WorkerCommand> onFencePeer(WorkerCommand.FencePeer command) {
    services.context().time().onTurn(loop.nowNs());
    services.paths().endFormer(command.newest());
    handshakes.onFenced(command.newest(), services.worker());
    return this;
  }

  private Behavior<WorkerCommand> onInstallSecret(WorkerCommand.InstallSecret command) {
    command.secret().close();
    return this;
  }

  private Behavior<WorkerCommand> drop(PathTerms terms) {
    PathRefusal.drop(services, terms);
    return this;
  }

  private Behavior<WorkerCommand> onConnect(WorkerCommand.Connect command) {
    command.answer().completeExceptionally(new ConnectFailedException("the transport was closed"));
    return this;
  }

  private Behavior<WorkerCommand> onDrain(WorkerCommand.Drain command) {
    command.answer().complete(WorkerRemains.NONE);
    return this;
  }

  private Behavior<WorkerCommand> onTakeRegionCensus(WorkerCommand.TakeRegionCensus command) {
    regionPool.tell(new RegionPoolActor.Command.TakeCensus(command.answer()));
    return this;
  }

  private Behavior<WorkerCommand> onPostStop() {
    onStop.run();
    return this;
  }
}
