package io.millrace.engine;

import io.millrace.access.PeerIdentity;
import io.millrace.access.admission.NodeAccess;
import io.millrace.actor.WorkerCommand;
import io.millrace.config.Addresses;
import io.millrace.config.LinkSettings;
import io.millrace.config.SettingsException;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeRefusal;
import io.millrace.crypto.Handshaker;
import io.millrace.crypto.WorkerPair;
import io.millrace.ends.InlineBudget;
import io.millrace.event.TransportEvents;
import io.millrace.handshake.Advert;
import io.millrace.handshake.AdvertCodec;
import io.millrace.handshake.AdvertFrames;
import io.millrace.handshake.EarlierPath;
import io.millrace.handshake.KeyLog;
import io.millrace.node.TransportException;
import io.millrace.path.network.RailPlan;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.packet.WorkerEnd;
import io.millrace.path.peer.HandshakePort;
import io.millrace.path.peer.PeerLink;
import io.millrace.wire.codec.CloseReason;
import io.millrace.worker.WorkerDescription;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * Begins handshakes for peers' actors, answers handshakes of other nodes, and turns settled
 * handshakes into paths on workers. Control plane; any thread.
 */
final class NodeHandshakes implements HandshakeListener, HandshakePort {
  private static final long NANOS_PER_MICRO = 1_000;

  private static final int LEAST_TRANSFERS = 1;

  /** The number of paths to look at for each new path when room is short. */
  private static final int EVICTIONS = 4;

  private static final String NO_ROOM =
      "millrace.limits.inline-budget leaves nothing for another peer";
  private static final String FORMER =
      "a process answered whose place as this peer a later one has taken";
  private static final String DOUBTFUL =
      "two processes answered as this peer at the same time, and this may be the earlier one";
  private static final String YIELDED = "its place was given to a peer with fewer places";
  private static final String NOT_FENCED =
      "the peer restarted, and a worker of this node did not end its former paths in time";

  private final TransportSettings settings;
  private final TransportEvents events;
  private final NodeAccess access;
  private final RefusedHandshakes refused;
  private final PeerDirectory directory;
  private final InlineBudget budget;
  private final NodeAdverts adverts;
  private final ActorSystem<?> system;
  private final PeerIncarnations<PathOpening> incarnations;
  private final PathSecrets secrets = new PathSecrets();
  private final @Nullable KeyLog keyLog;
  private volatile String identity = "";
  private volatile List<WorkerRef> actors = List.of();
  private volatile @Nullable Handshaker handshaker;
  private volatile boolean closing;
  private volatile boolean draining;

  NodeHandshakes(
      WorkerContext.Terms shared,
      PeerDirectory directory,
      long incarnation,
      long host,
      ActorSystem<?> system,
      @Nullable KeyLog keyLog) {
    settings = shared.settings();
    events = shared.events();
    access = shared.access();
    refused = new RefusedHandshakes(events);
    this.directory = directory;
    budget = shared.budget();
    adverts = new NodeAdverts(settings, budget, incarnation, host);
    this.system = system;
    this.keyLog = keyLog;
    incarnations = new PeerIncarnations<>(settings.workers().count(), settings.limits().peers());
  }

  /** The workers run; adverts name the workers from now on. */
  void onWorkersStarted(List<WorkerDescription> workers, List<WorkerRef> actors) {
    this.actors = List.copyOf(actors);
    directory.onYield(
        links ->
            links.forEach(
                (worker, link) -> actors.get(worker).tell(new WorkerCommand.YieldPeer(link))));
    adverts.onWorkersStarted(workers);
  }

  /** The handshake address is open; {@code identity} is how peers are told to call this node. */
  void onListening(Handshaker handshaker, String identity) {
    this.identity = identity;
    this.handshaker = handshaker;
  }

  /** Peers that this node does not call are not welcome any more. */
  void onDraining() {
    draining = true;
  }

  /** No peer is welcome any more. */
  void onClosing() {
    closing = true;
  }

  /** The workers have ended: nothing will be opened. */
  void onClosed() {
    incarnations.pollWaiting().forEach(this::drop);
  }

  @Override
  public void connect(String peer, int worker) {
    connect(peer, worker, EarlierPath.NONE);
  }

  @Override
  public void ask(String peer, int worker, long doubted) {
    connect(peer, worker, new EarlierPath(0, doubted));
  }

  private void connect(String peer, int worker, EarlierPath earlier) {
    PeerDirectory.Entry entry = directory.find(peer);
    Handshaker current = handshaker;
    PeerLink link = directory.linkFor(peer, worker);
    if (entry == null || link == null || current == null) {
      throw new IllegalStateException("a handshake with the unknown peer " + peer);
    }
    WorkerRef actor = actors.get(worker);
    if (!budget.hasRoom()) {
      actor.tell(new WorkerCommand.HandshakeFailed(link, NO_ROOM));
      return;
    }
    events.onHandshakeStarted(peer);
    current.connect(
        entry.address(),
        AdvertCodec.encode(advertOf(worker), earlier),
        outcome -> onOutcome(outcome, link, actor));
  }

  @Override
  public void renew(String peer, int worker, long pathId, PeerIncarnation life) {
    PeerDirectory.Entry entry = directory.find(peer);
    Handshaker current = handshaker;
    if (entry != null && current != null && !closing) {
      current.connect(
          entry.address(),
          AdvertCodec.encode(advertOf(worker), new EarlierPath(pathId, 0)),
          outcome -> onRenewed(outcome, peer, worker, pathId, life));
    }
  }

  private void onRenewed(
      HandshakeOutcome outcome, String peer, int worker, long pathId, PeerIncarnation life) {
    switch (outcome) {
      // Anybody can make the handshake fail: the path goes on until its secret is too old.
      case HandshakeOutcome.Failed failed -> events.onHandshakeFailed(peer, failed.reason());
      case HandshakeOutcome.Established path -> {
        if (!install(path, pathId, worker, life)) {
          // Another process answered: a handshake for a path brings the facts about this process.
          path.secret().close();
          if (directory.find(peer) != null) {
            connect(peer, worker, new EarlierPath(0, pathId));
          }
        }
      }
    }
  }

  /** Gives the secret to the secret's path; false if another life of the peer has the path. */
  private boolean install(
      HandshakeOutcome.Established path, long pathId, int worker, PeerIncarnation life) {
    Advert remote = AdvertCodec.decode(path.remoteAdvert());
    if (remote == null
        || !life.equals(
            new PeerIncarnation(NodeAdverts.nameOf(path.remoteIdentity()), remote.incarnation()))) {
      return false;
    }
    logSecret(path, AdvertCodec.decode(path.localAdvert()), remote);
    actors
        .get(worker)
        .tell(
            new WorkerCommand.InstallSecret(
                pathId, life, path.secret(), path.isInitiator(), path.peer().proved()));
    return true;
  }

  /** A peer brought a new secret for a path of this id. */
  private void onRenewal(HandshakeOutcome.Established path, long pathId) {
    PathSecrets.Holder holder = secrets.find(pathId);
    if (holder != null && install(path, pathId, holder.worker(), holder.peer())) {
      return;
    }
    // Packets of the peer on the path that the peer believes in are answered as rule U-2 says.
    path.secret().close();
  }

  @Override
  public void onSecret(long wireId, int worker, PeerIncarnation peer, long pathId) {
    secrets.add(wireId, new PathSecrets.Holder(peer, worker, pathId));
  }

  @Override
  public void onSecretGone(long wireId) {
    secrets.remove(wireId);
  }

  @Override
  public boolean isKnown(long wireId) {
    return secrets.find(wireId) != null;
  }

  /** Secrets that this node shares with its peers. */
  PathSecrets secrets() {
    return secrets;
  }

  @Override
  public void onPathEnded(String identity, PeerIncarnation peer) {
    incarnations.onPathEnded(peer);
    forgetPath(identity);
  }

  private void forgetPath(String identity) {
    directory
        .onPathEnded(identity)
        .forEach((worker, link) -> actors.get(worker).tell(new WorkerCommand.ForgetPeer(link)));
  }

  @Override
  public boolean isNewest(PeerIncarnation peer) {
    return incarnations.isNewest(peer);
  }

  @Override
  public void onFenced(PeerIncarnation newest, int worker) {
    openWaiting(incarnations.onFenced(newest, worker));
  }

  @Override
  public void onNic(int worker, boolean isUp) {
    directory.onNic(worker, isUp);
  }

  @Override
  public void onWorkerEnded(int worker, WorkerEnd end) {
    if (end == WorkerEnd.STOPPED) {
      directory.onWorkerStopped(worker);
    }
    directory.linksOf(worker).forEach(link -> close(link, end));
    List<WorkerRef> started = actors;
    if (worker < started.size()) {
      started.get(worker).onEnded(end.text());
    }
    openWaiting(incarnations.onWorkerEnded(worker));
  }

  /** The link's calls fail, whether or not the peer's actor was present to fail them. */
  private void close(PeerLink link, WorkerEnd end) {
    try {
      link.close(end);
    } catch (RuntimeException | Error e) {
      system.log().error("a call that the end of its worker failed threw", e);
    }
  }

  @Override
  public long epoch() {
    return incarnations.epoch();
  }

  /** Whether the peer is known cannot be told yet, so the number of peers is no reason here. */
  @Override
  public @Nullable HandshakeRefusal refusal() {
    if (closing || draining) {
      return HandshakeRefusal.SHUTTING_DOWN;
    }
    return !adverts.hasWorkers() || !directory.hasWorker() ? HandshakeRefusal.TOO_MANY_PEERS : null;
  }

  @Override
  public @Nullable HandshakeRefusal refusal(HandshakeOutcome.Peer peer) {
    HandshakeRefusal unwelcome = refusal();
    if (unwelcome != null) {
      return unwelcome;
    }
    try {
      return directory.canTake(callerOf(peer)) ? null : HandshakeRefusal.TOO_MANY_PEERS;
    } catch (SettingsException e) {
      // The peer's name is no address; this is told when a path is to be refused.
      return null;
    }
  }

  private static PeerDirectory.Caller callerOf(HandshakeOutcome.Peer peer) {
    return new PeerDirectory.Caller(
        Addresses.parseNumeric("the peer's name for itself", peer.name()), peer);
  }

  @Override
  public @Nullable String denial(PeerIdentity peer) {
    return access.denial(peer);
  }

  @Override
  public byte[] advert() {
    return AdvertCodec.encode(advertOf(directory.workerForCaller()));
  }

  @Override
  public byte[] advertTo(String caller) {
    return AdvertCodec.encode(advertOf(directory.workerForCaller(NodeAdverts.nameOf(caller))));
  }

  @Override
  public void onRefused(InetSocketAddress remote, String reason) {
    refused.onRefused(Addresses.format(remote), reason);
  }

  @Override
  public void onCredentialsReloaded(boolean used, String detail) {
    events.onCertificatesReloaded(used, detail);
  }

  /** Handshakes of other nodes that this node refused so far. */
  long refusedCount() {
    return refused.total();
  }

  private void failServed(String peer, String reason) {
    events.onHandshakeFailed(peer, reason);
    refused.onRefused(peer, reason);
  }

  @Override
  public void onFault(Throwable fault) {
    events.onHandshakeFault(fault);
  }

  @Override
  public void onEstablished(HandshakeOutcome.Established path) {
    long renewed = AdvertCodec.earlier(path.remoteAdvert()).renews();
    if (renewed != 0) {
      onRenewal(path, renewed);
      return;
    }
    makeRoom();
    long window = budget.take();
    PathTerms terms = settle(path, window);
    try {
      if (terms == null) {
        throw new TransportException(adverts.whyNoRail(path), null);
      }
      PeerDirectory.Caller caller = callerOf(path.peer());
      if (window == 0) {
        directory.onShort(caller);
        throw new TransportException(NO_ROOM, null);
      }
      PeerLink link = directory.onPathOfCaller(caller, terms.localWorker());
      admit(new PathOpening(link, terms), path.epoch());
    } catch (SettingsException | TransportException e) {
      budget.giveBack(window);
      refuse(path, terms);
      failServed(path.remoteIdentity(), String.valueOf(e.getMessage()));
    }
  }

  /** Ahead of the last places for peers: paths that nobody uses end. */
  private void makeRoom() {
    if (directory.isShort()) {
      secrets.offerOldest(
          EVICTIONS,
          oldest ->
              actors
                  .get(oldest.getValue().worker())
                  .tell(new WorkerCommand.EvictPath(oldest.getKey())));
    }
  }

  private void onOutcome(HandshakeOutcome outcome, PeerLink link, WorkerRef actor) {
    switch (outcome) {
      case HandshakeOutcome.Established path -> onConnected(path, link, actor);
      case HandshakeOutcome.Failed failed -> fail(link, actor, failed.reason());
    }
  }

  private void onConnected(HandshakeOutcome.Established path, PeerLink link, WorkerRef actor) {
    long window = budget.take();
    PathTerms terms = settle(path, window);
    if (terms == null || window == 0) {
      budget.giveBack(window);
      refuse(path, terms);
      fail(link, actor, terms == null ? adverts.whyNoRail(path) : NO_ROOM);
      return;
    }
    directory.onPath(link.identity());
    admit(new PathOpening(link, terms), path.epoch());
  }

  private void admit(PathOpening opening, long begunEpoch) {
    PeerIncarnation peer = opening.terms().peer();
    switch (incarnations.admit(peer, begunEpoch, opening)) {
      case OPEN -> open(opening);
      case WAIT -> limitWait(opening);
      case FENCE -> {
        limitWait(opening);
        actors.forEach(actor -> actor.tell(new WorkerCommand.FencePeer(peer)));
      }
      case DOUBTFUL -> onDoubtful(opening);
      case FORMER -> turnDown(opening, FORMER);
    }
  }

  /**
   * A hanging worker keeps the other workers from the restarted peer, but the reason is told after
   * the handshake timeout.
   */
  private void limitWait(PathOpening opening) {
    opening.onTimer(
        system
            .scheduler()
            .scheduleOnce(
                Duration.ofNanos(settings.handshake().timeoutNs()),
                () -> onLate(opening),
                system.executionContext()));
  }

  private void onLate(PathOpening opening) {
    if (incarnations.giveUp(opening.terms().peer(), opening)) {
      turnDown(opening, NOT_FENCED);
    }
  }

  /**
   * A further handshake surely begins after the doubtful life, so the further handshake's outcome
   * will tell.
   */
  private void onDoubtful(PathOpening opening) {
    PathTerms terms = opening.terms();
    if (terms.initiator()) {
      connect(opening.link().identity(), terms.localWorker());
      discard(opening, CloseReason.SUPERSEDED);
    } else {
      turnDown(opening, DOUBTFUL);
    }
  }

  private void openWaiting(List<PathOpening> openings) {
    for (PathOpening opening : openings) {
      opening.onDecided();
      if (closing) {
        drop(opening);
      } else {
        open(opening);
      }
    }
  }

  private void open(PathOpening opening) {
    PathTerms terms = opening.terms();
    if (directory.isStopped(terms.localWorker())) {
      events.onHandshakeFailed(opening.link().identity(), WorkerEnd.STOPPED.text());
      drop(opening);
      return;
    }
    if (!terms.initiator() && directory.isLeaving(opening.link().identity())) {
      failServed(terms.peer().identity(), YIELDED);
      incarnations.onPathEnded(terms.peer());
      discard(opening, CloseReason.YIELDED);
      return;
    }
    events.onHandshakeCompleted(
        opening.link().identity(), terms.rttNs(), terms.secret().isPostQuantum());
    actorOf(terms).tell(new WorkerCommand.OpenPath(opening.link(), terms));
  }

  private void turnDown(PathOpening opening, String reason) {
    PathTerms terms = opening.terms();
    if (terms.initiator()) {
      fail(opening.link(), actorOf(terms), reason);
    } else {
      failServed(terms.peer().identity(), reason);
    }
    discard(opening, CloseReason.SUPERSEDED);
  }

  private void discard(PathOpening opening, CloseReason reason) {
    PathTerms terms = opening.terms();
    budget.giveBack(terms.receiveWindowBytes());
    tellRefusal(terms, reason);
    forgetPath(opening.link().identity());
  }

  private void drop(PathOpening opening) {
    opening.onDecided();
    opening.terms().secret().close();
    budget.giveBack(opening.terms().receiveWindowBytes());
    onPathEnded(opening.link().identity(), opening.terms().peer());
  }

  private void refuse(HandshakeOutcome.Established path, @Nullable PathTerms terms) {
    if (terms == null) {
      path.secret().close();
    } else {
      tellRefusal(terms, CloseReason.NO_ROOM);
    }
  }

  /** The peer believes in a path: tell the peer that no path exists. */
  private void tellRefusal(PathTerms terms, CloseReason reason) {
    actorOf(terms)
        .tell(new WorkerCommand.RefusePath(terms.peer().identity(), terms.withoutWindow(), reason));
  }

  private WorkerRef actorOf(PathTerms terms) {
    return actors.get(terms.localWorker());
  }

  /**
   * The terms that a handshake settled; null if no common driver leads from this node to the peer.
   */
  private @Nullable PathTerms settle(HandshakeOutcome.Established path, long window) {
    Advert local = AdvertCodec.decode(path.localAdvert());
    Advert remote = AdvertCodec.decode(path.remoteAdvert());
    RailPlan rails = adverts.rails(local, remote, path);
    if (local == null || remote == null || rails == null) {
      return null;
    }
    logSecret(path, local, remote);
    return new PathTerms(
        new PeerIncarnation(NodeAdverts.nameOf(path.remoteIdentity()), remote.incarnation()),
        path.secret(),
        path.isInitiator(),
        new WorkerPair(local.worker(), remote.worker()),
        rails,
        remote.inlineLimit(),
        new PathTerms.Window(local.inlineLimit(), window),
        new PathTerms.Agreement(
            Math.max(LEAST_TRANSFERS, remote.concurrentTransfers()),
            Math.min(local.maxDatagramBytes(), remote.maxDatagramBytes()),
            local.keySize().orLonger(remote.keySize()),
            remote.headersBytes(),
            remote.credit().lifetimeMs(),
            queueNs(local) + queueNs(remote),
            readsImmediates(local) && readsImmediates(remote),
            readsPieces(remote)),
        new PathTerms.Handshake(
            path.peer().identity(), path.peer().proved(), path.rttNs(), asked(path)));
  }

  private static boolean readsImmediates(Advert advert) {
    return !advert.endpoints().isEmpty() && advert.endpoints().getFirst().nic().readsImmediates();
  }

  private static boolean readsPieces(Advert advert) {
    return !advert.endpoints().isEmpty() && advert.endpoints().getFirst().nic().readsPieces();
  }

  /** For debugging; a path does not wait for a full disk. */
  private void logSecret(HandshakeOutcome.Established path, @Nullable Advert local, Advert remote) {
    KeyLog log = keyLog;
    if (log != null && local != null) {
      try {
        log.add(path.secret(), local.keySize().orLonger(remote.keySize()));
      } catch (IOException e) {
        system.log().warn("millrace.handshake.key-log lacks the secret of a path", e);
      }
    }
  }

  /** The path that a side asked about, and whether this node does not know the path; rule U-4. */
  private PathTerms.Asked asked(HandshakeOutcome.Established path) {
    byte[] advert = path.isInitiator() ? path.localAdvert() : path.remoteAdvert();
    long doubted = AdvertCodec.earlier(advert).doubts();
    return new PathTerms.Asked(
        doubted, doubted != 0 && !path.isInitiator() && secrets.find(doubted) == null);
  }

  private void fail(PeerLink link, WorkerRef actor, String reason) {
    events.onHandshakeFailed(link.identity(), reason);
    actor.tell(new WorkerCommand.HandshakeFailed(link, reason));
  }

  private static long queueNs(Advert advert) {
    return Math.min(advert.credit().queueUs(), LinkSettings.LONGEST_QUEUE_US) * NANOS_PER_MICRO;
  }

  private Advert advertOf(int worker) {
    Handshaker current = handshaker;
    int maxBytes = current == null ? AdvertFrames.MAX_ADVERT_BYTES : current.maxAdvertBytes();
    return adverts.of(worker, identity, maxBytes);
  }
}
