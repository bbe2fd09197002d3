package io.millrace.api.cluster;

import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.config.SettingsException;
import io.millrace.node.TransportException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Subscribe;
import org.apache.pekko.event.Logging;
import org.apache.pekko.event.LoggingAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Joins two kinds of events, in any order: the members that are up, from the cluster, and the
 * members' addresses, from the receptionist. A member with both is a peer. The actor gives up the
 * peer of a downed or removed member. One actor for each system; the actor owns its maps.
 */
final class ClusterMembers extends AbstractBehavior<ClusterMembers.Command> {
  private static final Comparator<ClusterPeer> BY_MEMBER =
      Comparator.comparing(ClusterPeer::member, UniqueAddress::compareTo);

  private final LoggingAdapter log;
  private final Transport transport;
  private final Consumer<List<ClusterPeer>> publisher;
  private final UniqueAddress self;
  private final Map<UniqueAddress, Member> up = new HashMap<>();
  private Map<Long, String> addresses = Map.of();

  /** Peers found and not yet removed, also leaving peers. */
  private final Map<UniqueAddress, ClusterPeer> known = new HashMap<>();

  private final List<Listener> listeners = new ArrayList<>();
  private List<ClusterPeer> current = List.of();

  /** The messages of the actor. */
  sealed interface Command {
    /** A change of a member, from the cluster. */
    record OnMember(ClusterEvent.MemberEvent event) implements Command {}

    /** The members that now publish an address. */
    record OnAddresses(Receptionist.Listing listing) implements Command {}

    /** Adds a listener. */
    record Add(Listener listener) implements Command {}

    /** Removes a listener. */
    record Remove(Listener listener) implements Command {}
  }

  /** A listener for some of the peers, with its last known list. */
  static final class Listener {
    private final Predicate<ClusterPeer> wanted;
    private final Consumer<List<ClusterPeer>> told;
    private @Nullable List<ClusterPeer> last;

    Listener(Predicate<ClusterPeer> wanted, Consumer<List<ClusterPeer>> told) {
      this.wanted = wanted;
      this.told = told;
    }

    private void tell(List<ClusterPeer> all) {
      List<ClusterPeer> present = all.stream().filter(wanted).toList();
      if (!present.equals(last)) {
        last = present;
        told.accept(present);
      }
    }
  }

  private ClusterMembers(
      ActorContext<Command> context, Transport transport, Consumer<List<ClusterPeer>> publisher) {
    super(context);
    log = Logging.getLogger(context.getSystem().classicSystem(), ClusterMembers.class);
    this.transport = transport;
    this.publisher = publisher;
    Cluster cluster = Cluster.get(context.getSystem());
    self = cluster.selfMember().uniqueAddress();
    Receptionist receptionist = Receptionist.get(context.getSystem());
    receptionist
        .ref()
        .tell(
            Receptionist.subscribe(
                PublishedAddress.KEY,
                context.messageAdapter(Receptionist.Listing.class, Command.OnAddresses::new)));
    receptionist
        .ref()
        .tell(
            Receptionist.register(
                PublishedAddress.KEY,
                context.spawn(
                    PublishedAddress.behavior(),
                    PublishedAddress.name(transport.address(), self.longUid()))));
    cluster
        .subscriptions()
        .tell(
            Subscribe.create(
                context.messageAdapter(ClusterEvent.MemberEvent.class, Command.OnMember::new),
                ClusterEvent.MemberEvent.class));
  }

  /**
   * Returns the behavior of a node's actor.
   *
   * @param publisher gets all peers after each change
   */
  static Behavior<Command> create(Transport transport, Consumer<List<ClusterPeer>> publisher) {
    return Behaviors.setup(context -> new ClusterMembers(context, transport, publisher));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Command.OnMember.class, command -> onMember(command.event().member()))
        .onMessage(Command.OnAddresses.class, this::onAddresses)
        .onMessage(Command.Add.class, this::onAdd)
        .onMessage(Command.Remove.class, this::onRemove)
        .build();
  }

  private Behavior<Command> onMember(Member member) {
    MemberStatus status = member.status();
    UniqueAddress address = member.uniqueAddress();
    if (status.equals(MemberStatus.up())) {
      up.put(address, member);
    } else {
      up.remove(address);
    }
    // Publish the new set first: a caller that chooses another peer after a failure must not choose
    // this peer again.
    refresh();
    if (status.equals(MemberStatus.down()) || status.equals(MemberStatus.removed())) {
      giveUp(address, status);
    }
    return this;
  }

  private void giveUp(UniqueAddress address, MemberStatus status) {
    ClusterPeer gone = known.remove(address);
    if (gone != null) {
      String how = status.equals(MemberStatus.down()) ? "downed" : "removed";
      gone.peer().giveUp("the cluster has " + how + " the member " + address.address());
    }
  }

  private Behavior<Command> onAddresses(Command.OnAddresses command) {
    Map<Long, String> next = new HashMap<>();
    command
        .listing()
        .getAllServiceInstances(PublishedAddress.KEY)
        .forEach(ref -> PublishedAddress.read(ref.path().name(), next::put));
    addresses = next;
    refresh();
    return this;
  }

  private Behavior<Command> onAdd(Command.Add command) {
    listeners.add(command.listener());
    tell(command.listener());
    return this;
  }

  private Behavior<Command> onRemove(Command.Remove command) {
    listeners.remove(command.listener());
    return this;
  }

  private void refresh() {
    List<ClusterPeer> next = new ArrayList<>();
    for (Member member : up.values()) {
      ClusterPeer peer = peerOf(member);
      if (peer != null) {
        next.add(peer);
      }
    }
    next.sort(BY_MEMBER);
    if (!next.equals(current)) {
      current = List.copyOf(next);
      publisher.accept(current);
      listeners.forEach(this::tell);
    }
  }

  private @Nullable ClusterPeer peerOf(Member member) {
    UniqueAddress address = member.uniqueAddress();
    String handshake = addresses.get(address.longUid());
    if (handshake == null || address.equals(self)) {
      return null;
    }
    ClusterPeer before = known.get(address);
    return before != null ? before : found(member, handshake);
  }

  private @Nullable ClusterPeer found(Member member, String handshake) {
    Peer peer;
    try {
      peer = transport.peer(handshake);
    } catch (TransportException | SettingsException e) {
      log.warning("{} cannot be a peer: {}", member.address(), e.getMessage());
      return null;
    }
    if (!peer.health().state().takesCalls()) {
      // The node has given up an earlier life at this address, so connect now to find the new life
      // soon.
      var _ = peer.connect();
    }
    ClusterPeer found = new ClusterPeer(peer, member.uniqueAddress(), member.getRoles());
    known.put(member.uniqueAddress(), found);
    return found;
  }

  private void tell(Listener listener) {
    try {
      listener.tell(current);
    } catch (RuntimeException | Error e) {
      log.error(e, "a listener to changes of the cluster's peers threw");
    }
  }
}
