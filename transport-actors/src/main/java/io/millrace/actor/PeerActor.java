package io.millrace.actor;

import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.WorkerTime;
import io.millrace.path.peer.HandshakePort;
import io.millrace.path.peer.PeerFaultException;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.PeerPaths;
import io.millrace.path.peer.WorkerServices;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * Owns a peer on a worker: hands the actor's commands to the peer's paths. The actor runs on the
 * worker's thread, so the worker's duty cycle calls the paths directly. An exception caught there
 * comes back as {@link PeerCommand.Faulted} and is thrown here. Supervision then restarts this
 * actor with only this peer's transfers failed.
 */
public final class PeerActor extends AbstractBehavior<PeerCommand> {
  private final WorkerTime time;
  private final LongSupplier clock;
  private final PeerLink link;
  private final PeerPaths paths;

  /**
   * The peer of {@code link} on the worker of {@code services}.
   *
   * @param clock the worker's, read once for each command
   */
  public static Behavior<PeerCommand> create(
      WorkerServices services, PeerLink link, HandshakePort handshakes, LongSupplier clock) {
    return Behaviors.setup(context -> new PeerActor(context, services, link, handshakes, clock));
  }

  private PeerActor(
      ActorContext<PeerCommand> context,
      WorkerServices services,
      PeerLink link,
      HandshakePort handshakes,
      LongSupplier clock) {
    super(context);
    time = services.context().time();
    this.clock = clock;
    this.link = link;
    paths =
        new PeerPaths(
            services,
            link,
            handshakes,
            () -> context.getSelf().tell(new PeerCommand.WantPath()),
            (path, fault) -> context.getSelf().tell(new PeerCommand.Faulted(path, fault)));
  }

  @Override
  public Receive<PeerCommand> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::onCommand)
        .onSignal(PreRestart.class, signal -> onRestart())
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private Behavior<PeerCommand> onCommand(PeerCommand command) {
    time.onTurn(clock.getAsLong());
    switch (command) {
      case PeerCommand.WantPath() -> paths.want();
      case PeerCommand.OpenPath(PathTerms terms) -> paths.open(terms);
      case PeerCommand.HandshakeFailed(String reason) -> paths.onHandshakeFailed(reason);
      case PeerCommand.GiveUp(String cause) -> paths.giveUp(cause);
      case PeerCommand.Yield() -> paths.yieldPlace();
      case PeerCommand.Faulted(PeerPath path, Throwable fault) -> {
        if (paths.holds(path)) {
          throw new PeerFaultException(link.identity(), fault);
        }
      }
      case PeerCommand.Close() -> {
        return Behaviors.stopped();
      }
    }
    return this;
  }

  private Behavior<PeerCommand> onRestart() {
    time.onTurn(clock.getAsLong());
    paths.onFault();
    return this;
  }

  private Behavior<PeerCommand> onStop() {
    time.onTurn(clock.getAsLong());
    paths.close();
    return this;
  }
}
