package io.millrace.engine;

import io.millrace.config.Addresses;
import io.millrace.config.LinkSettings;
import io.millrace.config.PeerPin;
import io.millrace.config.SettingsException;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.ends.InlineBudget;
import io.millrace.handshake.Advert;
import io.millrace.handshake.AdvertCodec;
import io.millrace.handshake.AdvertisedEndpoint;
import io.millrace.handshake.AdvertisedNic;
import io.millrace.handshake.CreditTerms;
import io.millrace.nic.EndpointDescription;
import io.millrace.nic.RailChoice;
import io.millrace.nic.SharedAddresses;
import io.millrace.path.network.RailPlan;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.worker.WorkerDescription;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the adverts of a node, and finds the rails between the workers of two adverts. Control
 * plane; any thread.
 */
final class NodeAdverts {
  private static final String NO_DRIVER = "the peer and this node share no driver";
  private static final String OWN_ADDRESSES =
      "every address that leads from this node to the peer is an address of this host, too;"
          + " nodes of several hosts need addresses of their own in millrace.nic.address or"
          + " millrace.nics";

  private final TransportSettings settings;
  private final InlineBudget budget;
  private final long incarnation;
  private final long host;
  private volatile List<WorkerDescription> workers = List.of();

  /**
   * The adverts of a node, so far without workers.
   *
   * @param host the number of the node's host, or {@link Advert#UNKNOWN_HOST}
   */
  NodeAdverts(TransportSettings settings, InlineBudget budget, long incarnation, long host) {
    this.settings = settings;
    this.budget = budget;
    this.incarnation = incarnation;
    this.host = host;
  }

  /** The workers run; adverts name the workers from now on. */
  void onWorkersStarted(List<WorkerDescription> started) {
    workers = List.copyOf(started);
  }

  boolean hasWorkers() {
    return !workers.isEmpty();
  }

  /**
   * The advert for a peer of this worker. The endpoints of the worker come first, then those of the
   * other workers, as far as the advert has room.
   *
   * @param identity how peers are told to call this node
   * @param maxBytes the longest advert that the handshake carries
   */
  Advert of(int worker, String identity, int maxBytes) {
    List<AdvertisedEndpoint> candidates = new ArrayList<>(endpointsOf(worker));
    for (int other = 0; other < workers.size(); other++) {
      if (other != worker) {
        candidates.addAll(endpointsOf(other));
      }
    }
    List<AdvertisedEndpoint> endpoints = new ArrayList<>();
    int left = maxBytes - AdvertCodec.encodedLength(advert(worker, identity, List.of()));
    for (AdvertisedEndpoint candidate : candidates) {
      left -= AdvertCodec.encodedLength(candidate);
      if (left < 0 || endpoints.size() == Advert.MAX_ENDPOINTS) {
        break;
      }
      endpoints.add(candidate);
    }
    return advert(worker, identity, endpoints);
  }

  private List<AdvertisedEndpoint> endpointsOf(int worker) {
    return workers.get(worker).endpoints().stream()
        .map(one -> new AdvertisedEndpoint(worker, advertised(one.nic()), one.address()))
        .toList();
  }

  private AdvertisedNic advertised(AdvertisedNic nic) {
    return nic.isOneSided() && settings.regions().packetSlots() > 0 ? nic.readingImmediates() : nic;
  }

  private Advert advert(int worker, String identity, List<AdvertisedEndpoint> endpoints) {
    WorkerDescription described = workers.get(worker);
    return new Advert(
        worker,
        incarnation,
        budget.initialBytes(),
        settings.limits().concurrentTransfers(),
        described.maxDatagramBytes(),
        AesKeySize.ofBytes(settings.crypto().keyBits() / Byte.SIZE),
        settings.limits().headersBytes(),
        credit(described.link()),
        endpoints,
        identity,
        host);
  }

  private static CreditTerms credit(LinkSettings link) {
    return link.isKnown()
        ? new CreditTerms(ReceiveBudget.CREDIT_LIFETIME_MS, link.queueUs())
        : CreditTerms.ENDLESS;
  }

  /** The rails between the workers of two adverts, or null without a rail. */
  @Nullable RailPlan rails(
      @Nullable Advert local, @Nullable Advert remote, HandshakeOutcome.Established path) {
    if (local == null || remote == null) {
      return null;
    }
    RailPlan plan = rails(local, remote, path, SharedAddresses.of(local, remote));
    String address = path.peer().address();
    return plan == null || address.isEmpty() ? plan : plan.provedAt(bytesOf(address));
  }

  private @Nullable RailPlan rails(
      Advert local, Advert remote, HandshakeOutcome.Established path, SharedAddresses shared) {
    return RailChoice.of(
        endpointsOf(local),
        workers.get(local.worker()).endpoints().stream().map(EndpointDescription::driver).toList(),
        endpointsOf(remote),
        path.isInitiator(),
        pinOf(nameOf(path.remoteIdentity())),
        shared);
  }

  /** Why {@link #rails} found no rail. */
  String whyNoRail(HandshakeOutcome.Established path) {
    Advert local = AdvertCodec.decode(path.localAdvert());
    Advert remote = AdvertCodec.decode(path.remoteAdvert());
    boolean isOwn =
        local != null && remote != null && rails(local, remote, path, SharedAddresses.NONE) != null;
    return isOwn ? OWN_ADDRESSES : NO_DRIVER;
  }

  /** Of an IP address in numbers; a scope is this node's own matter. */
  private static byte[] bytesOf(String address) {
    int scope = address.indexOf('%');
    return InetAddress.ofLiteral(scope < 0 ? address : address.substring(0, scope)).getAddress();
  }

  private static List<AdvertisedEndpoint> endpointsOf(Advert advert) {
    return advert.endpoints().stream().filter(one -> one.worker() == advert.worker()).toList();
  }

  private @Nullable PeerPin pinOf(String peer) {
    return settings.nic().places().pins().stream()
        .filter(pin -> pin.isFor(peer))
        .findFirst()
        .orElse(null);
  }

  /** A single name for each peer, however the peer writes its address. */
  static String nameOf(String identity) {
    try {
      return Addresses.format(Addresses.parseNumeric("the peer's name for itself", identity));
    } catch (SettingsException e) {
      return identity;
    }
  }
}
