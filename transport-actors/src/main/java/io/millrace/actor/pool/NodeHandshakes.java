package io.millrace.actor.pool;

import io.millrace.actor.peer.HandshakePort;
import io.millrace.actor.peer.InlineBudget;
import io.millrace.actor.peer.InlineWindow;
import io.millrace.actor.peer.PathTerms;
import io.millrace.actor.peer.PeerLink;
import io.millrace.actor.worker.WorkerCommand;
import io.millrace.actor.worker.WorkerDescription;
import io.millrace.config.Addresses;
import io.millrace.config.SettingsException;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeRefusal;
import io.millrace.crypto.Handshaker;
import io.millrace.event.TransportEvents;
import io.millrace.handshake.Advert;
import io.millrace.handshake.AdvertCodec;
import io.millrace.handshake.AdvertisedEndpoint;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Begins handshakes for peers' actors, answers those of other nodes, and turns what they settled
 * into paths on workers. Control plane; any thread.
 */
final class NodeHandshakes implements HandshakeListener, HandshakePort {
  private static final int LEAST_TRANSFERS = 1;
  private static final String NO_ROOM =
      "millrace.limits.inline-budget leaves nothing for another peer";
  private static final String NO_ENDPOINT =
      "the peer offers no endpoint that this node's driver can reach";

  private final TransportSettings settings;
  private final TransportEvents events;
  private final PeerDirectory directory;
  private final InlineBudget budget;
  private final long incarnation;
  private volatile String identity = "";
  private volatile List<WorkerDescription> workers = List.of();
  private volatile List<ActorRef<WorkerCommand>> actors = List.of();
  private volatile @Nullable Handshaker handshaker;
  private volatile boolean closing;

  /**
   * What a handshake settled.
   *
   * @param terms of the path
   * @param incarnation of the peer
   */
  private record Settled(PathTerms terms, long incarnation) {}

  NodeHandshakes(
      TransportSettings settings,
      TransportEvents events,
      PeerDirectory directory,
      InlineBudget budget,
      long incarnation) {
    this.settings = settings;
    this.events = events;
    this.directory = directory;
    this.budget = budget;
    this.incarnation = incarnation;
  }

  /** The workers run; adverts name them from now on. */
  void onWorkersStarted(List<WorkerDescription> workers, List<ActorRef<WorkerCommand>> actors) {
    this.actors = List.copyOf(actors);
    this.workers = List.copyOf(workers);
  }

  /** The handshake address is open; {@code identity} is how peers are told to call this node. */
  void onListening(Handshaker handshaker, String identity) {
    this.identity = identity;
    this.handshaker = handshaker;
  }

  /** No peer is welcome any more. */
  void onClosing() {
    closing = true;
  }

  @Override
  public void connect(String peer, int worker) {
    PeerDirectory.Entry entry = directory.find(peer);
    Handshaker current = handshaker;
    if (entry == null || current == null) {
      throw new IllegalStateException("a handshake with the unknown peer " + peer);
    }
    PeerLink link = entry.handle().link();
    ActorRef<WorkerCommand> actor = actors.get(worker);
    if (!budget.hasRoom()) {
      actor.tell(new WorkerCommand.HandshakeFailed(link, NO_ROOM));
      return;
    }
    events.onHandshakeStarted(peer);
    current.connect(
        entry.address(),
        AdvertCodec.encode(advertOf(worker)),
        outcome -> onOutcome(outcome, link, actor));
  }

  @Override
  public void onPathEnded(String peer) {
    directory
        .onPathEnded(peer)
        .forEach((worker, link) -> actors.get(worker).tell(new WorkerCommand.ForgetPeer(link)));
  }

  /** Whether the peer is known cannot be told yet, so the number of peers is no reason here. */
  @Override
  public @Nullable HandshakeRefusal refusal() {
    if (closing) {
      return HandshakeRefusal.SHUTTING_DOWN;
    }
    return workers.isEmpty() || !budget.hasRoom() ? HandshakeRefusal.TOO_MANY_PEERS : null;
  }

  @Override
  public byte[] advert() {
    return AdvertCodec.encode(advertOf(directory.leastLoadedWorker()));
  }

  @Override
  public void onFault(Throwable fault) {
    events.onHandshakeFault(fault);
  }

  @Override
  public void onEstablished(HandshakeOutcome.Established path) {
    long window = budget.take();
    Settled settled = settle(path, window);
    try {
      if (settled == null) {
        throw new TransportException(NO_ENDPOINT, null);
      }
      if (window == 0) {
        throw new TransportException(NO_ROOM, null);
      }
      InetSocketAddress address =
          Addresses.parseNumeric("identity of a peer", path.remoteIdentity());
      open(settled, directory.onPathOfCaller(address, settled.terms().localWorker()));
    } catch (SettingsException | TransportException e) {
      budget.giveBack(window);
      refuse(path, settled);
      events.onHandshakeFailed(path.remoteIdentity(), String.valueOf(e.getMessage()));
    }
  }

  private void onOutcome(HandshakeOutcome outcome, PeerLink link, ActorRef<WorkerCommand> actor) {
    switch (outcome) {
      case HandshakeOutcome.Established path -> onConnected(path, link, actor);
      case HandshakeOutcome.Failed failed -> fail(link, actor, failed.reason());
    }
  }

  private void onConnected(
      HandshakeOutcome.Established path, PeerLink link, ActorRef<WorkerCommand> actor) {
    long window = budget.take();
    Settled settled = settle(path, window);
    if (settled == null || window == 0) {
      budget.giveBack(window);
      refuse(path, settled);
      fail(link, actor, settled == null ? NO_ENDPOINT : NO_ROOM);
      return;
    }
    directory.onPath(link.identity());
    open(settled, link);
  }

  private void open(Settled settled, PeerLink link) {
    PathTerms terms = settled.terms();
    events.onHandshakeCompleted(link.identity(), terms.rttNs());
    actors
        .get(terms.localWorker())
        .tell(new WorkerCommand.OpenPath(link, terms, settled.incarnation()));
  }

  /** The peer believes that there is a path: tell it that there is none, if it can be reached. */
  private void refuse(HandshakeOutcome.Established path, @Nullable Settled settled) {
    if (settled == null) {
      path.secret().close();
      return;
    }
    PathTerms terms = settled.terms().withoutWindow();
    actors
        .get(terms.localWorker())
        .tell(new WorkerCommand.RefusePath(path.remoteIdentity(), terms));
  }

  /**
   * What a handshake settled; null if this node's driver can reach none of the peer's endpoints.
   */
  private @Nullable Settled settle(HandshakeOutcome.Established path, long window) {
    Advert local = AdvertCodec.decode(path.localAdvert());
    Advert remote = AdvertCodec.decode(path.remoteAdvert());
    AdvertisedEndpoint endpoint = remote == null ? null : endpointFor(remote);
    if (local == null || remote == null || endpoint == null) {
      return null;
    }
    PathTerms terms =
        new PathTerms(
            path.secret(),
            path.isInitiator(),
            local.worker(),
            endpoint.worker(),
            endpoint.address(),
            remote.inlineLimit(),
            new InlineWindow(local.inlineLimit(), window),
            Math.max(LEAST_TRANSFERS, remote.concurrentTransfers()),
            Math.min(local.maxDatagramBytes(), remote.maxDatagramBytes()),
            path.rttNs());
    return new Settled(terms, remote.incarnation());
  }

  private void fail(PeerLink link, ActorRef<WorkerCommand> actor, String reason) {
    events.onHandshakeFailed(link.identity(), reason);
    actor.tell(new WorkerCommand.HandshakeFailed(link, reason));
  }

  /** The endpoint of the worker that the peer chose, if it is of this node's family. */
  private @Nullable AdvertisedEndpoint endpointFor(Advert remote) {
    String family = workers.getFirst().address().family();
    for (AdvertisedEndpoint endpoint : remote.endpoints()) {
      if (endpoint.worker() == remote.worker() && endpoint.address().family().equals(family)) {
        return endpoint;
      }
    }
    return null;
  }

  private Advert advertOf(int worker) {
    List<WorkerDescription> current = workers;
    return new Advert(
        worker,
        incarnation,
        budget.initialBytes(),
        settings.limits().concurrentTransfers(),
        current.get(worker).maxDatagramBytes(),
        current.stream().map(one -> new AdvertisedEndpoint(one.worker(), one.address())).toList(),
        identity);
  }
}
