package io.millrace.actor.pool;

import io.millrace.actor.peer.HandshakePort;
import io.millrace.actor.peer.InlineBudget;
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
    long window = budget.offer();
    if (window == 0) {
      actor.tell(
          new WorkerCommand.HandshakeFailed(
              link, "millrace.limits.inline-budget leaves nothing for another peer"));
      return;
    }
    events.onHandshakeStarted(peer);
    current.connect(
        entry.address(),
        AdvertCodec.encode(advertOf(worker, window)),
        outcome -> onOutcome(outcome, link, actor));
  }

  @Override
  public @Nullable HandshakeRefusal refusal() {
    if (closing) {
      return HandshakeRefusal.SHUTTING_DOWN;
    }
    return directory.isFull() || budget.offer() == 0 || workers.isEmpty()
        ? HandshakeRefusal.TOO_MANY_PEERS
        : null;
  }

  @Override
  public byte[] advert() {
    return AdvertCodec.encode(advertOf(directory.leastLoadedWorker(), budget.offer()));
  }

  @Override
  public void onEstablished(HandshakeOutcome.Established path) {
    try {
      InetSocketAddress address = Addresses.parse("identity of a peer", path.remoteIdentity());
      Advert local = AdvertCodec.decode(path.localAdvert());
      int worker = local == null ? 0 : local.worker();
      open(path, directory.linkOfCaller(address, worker), actors.get(worker));
    } catch (SettingsException | TransportException e) {
      path.secret().close();
      events.onHandshakeFailed(path.remoteIdentity(), String.valueOf(e.getMessage()));
    }
  }

  private void onOutcome(HandshakeOutcome outcome, PeerLink link, ActorRef<WorkerCommand> actor) {
    switch (outcome) {
      case HandshakeOutcome.Established path -> open(path, link, actor);
      case HandshakeOutcome.Failed failed -> fail(link, actor, failed.reason());
    }
  }

  private void open(
      HandshakeOutcome.Established path, PeerLink link, ActorRef<WorkerCommand> actor) {
    Advert local = AdvertCodec.decode(path.localAdvert());
    Advert remote = AdvertCodec.decode(path.remoteAdvert());
    AdvertisedEndpoint endpoint = remote == null ? null : endpointFor(remote);
    if (local == null || remote == null || endpoint == null) {
      path.secret().close();
      fail(link, actor, "the peer offers no endpoint that this node's driver can reach");
      return;
    }
    events.onHandshakeCompleted(link.identity(), path.rttNs());
    PathTerms terms =
        new PathTerms(
            path.secret(),
            path.isInitiator(),
            local.worker(),
            endpoint.worker(),
            endpoint.address(),
            remote.inlineLimit(),
            local.inlineLimit(),
            Math.max(LEAST_TRANSFERS, remote.concurrentTransfers()),
            Math.min(local.maxDatagramBytes(), remote.maxDatagramBytes()),
            path.rttNs());
    actor.tell(new WorkerCommand.OpenPath(link, terms, remote.incarnation()));
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

  private Advert advertOf(int worker, long window) {
    List<WorkerDescription> current = workers;
    return new Advert(
        worker,
        incarnation,
        window,
        settings.limits().concurrentTransfers(),
        current.get(worker).maxDatagramBytes(),
        current.stream().map(one -> new AdvertisedEndpoint(one.worker(), one.address())).toList(),
        identity);
  }
}
