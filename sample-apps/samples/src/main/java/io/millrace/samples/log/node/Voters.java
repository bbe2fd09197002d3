package io.millrace.samples.log.node;

import io.millrace.access.PeerIdentity;
import io.millrace.api.RequestAcceptor;
import io.millrace.api.RequestOffer;
import io.millrace.api.ServeOptions;
import io.millrace.config.Addresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets only members of the log take part in its protocol; clients make requests. A caller is a
 * member if its handshake address, with a host proven by its certificate, is the address of a
 * member. A caller is also a member if its certificate has the host name of a member and its port
 * is this member's port. With a pre-shared key, or with names that any peer may bear, each node can
 * call itself as a member. Any thread; an unknown caller may cost a question to the name service,
 * so the check runs on an executor, or on a worker without the question: {@link #onWorkers}.
 */
final class Voters implements RequestAcceptor {
  private static final long RESOLVE_AGAIN_NS = TimeUnit.SECONDS.toNanos(5);

  private final List<String> members;
  private volatile Set<String> addresses;
  private volatile long resolvedNs = System.nanoTime();

  /** Whether a thread looks, or is to look, at the name service for a worker. */
  private final AtomicBoolean isLooking = new AtomicBoolean();

  /** Takes these members as voters, host:port each. */
  Voters(List<String> members) {
    this.members = List.copyOf(members);
    addresses = resolved();
  }

  /** Returns the options with which the protocol's routes are served. */
  ServeOptions only() {
    return ServeOptions.DEFAULTS.withAcceptor(this);
  }

  /**
   * Returns the options for routes served on workers' threads, which ask no name service: a caller
   * with a new address is refused until the look at the name service is over.
   *
   * @param lookups runs the look
   */
  ServeOptions onWorkers(Executor lookups) {
    return ServeOptions.DEFAULTS.withAcceptor(
        offer -> {
          if (!isKnown(offer.peer(), offer.identity())) {
            if (System.nanoTime() - resolvedNs >= RESOLVE_AGAIN_NS
                && isLooking.compareAndSet(false, true)) {
              lookups.execute(() -> look(offer.peer()));
            }
            throw new NotAMemberException(offer.identity());
          }
        });
  }

  private void look(String peer) {
    try {
      boolean _ = isResolvedAgain(peer);
    } finally {
      isLooking.set(false);
    }
  }

  private boolean isKnown(String peer, PeerIdentity identity) {
    return addresses.contains(peer) || isNamed(identity);
  }

  @Override
  public void accept(RequestOffer offer) throws NotAMemberException {
    require(offer.peer(), offer.identity());
  }

  /** Throws if a caller is no member. */
  void require(String peer, PeerIdentity identity) throws NotAMemberException {
    if (!isKnown(peer, identity) && !isResolvedAgain(peer)) {
      throw new NotAMemberException(identity);
    }
  }

  private boolean isNamed(PeerIdentity identity) {
    for (String member : members) {
      String host = host(member);
      boolean isSamePort = identity.address().endsWith(member.substring(member.lastIndexOf(':')));
      if (isSamePort && !isNumeric(host) && identity.isNamed(host)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether the peer is a member with a new address, after another look at the name
   * service.
   */
  private synchronized boolean isResolvedAgain(String peer) {
    if (System.nanoTime() - resolvedNs < RESOLVE_AGAIN_NS) {
      return false;
    }
    addresses = resolved();
    resolvedNs = System.nanoTime();
    return addresses.contains(peer);
  }

  private Set<String> resolved() {
    Set<String> all = new HashSet<>();
    for (String member : members) {
      int port = Integer.parseInt(member.substring(member.lastIndexOf(':') + 1));
      try {
        for (InetAddress each : InetAddress.getAllByName(host(member))) {
          all.add(Addresses.format(new InetSocketAddress(each, port)));
        }
      } catch (UnknownHostException e) {
        // Nobody can call from an unknown host; the host is looked up again later.
        all.add(member);
      }
    }
    return all;
  }

  private static String host(String member) {
    String host = member.substring(0, member.lastIndexOf(':'));
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static boolean isNumeric(String host) {
    try {
      var _ = InetAddress.ofLiteral(host);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
