package io.millrace.handshake.psk;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.HandshakeHost;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeRefusal;
import io.millrace.crypto.HmacSha256;
import io.millrace.crypto.OneShotAead;
import io.millrace.handshake.Advert;
import io.millrace.handshake.AdvertCodec;
import io.millrace.handshake.ProviderCard;
import io.millrace.wire.codec.RejectReason;
import java.net.InetAddress;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All exchanges that peers began. Only answers: the responder sends nothing of itself, at most a
 * datagram per datagram, and no longer datagram. An Init under the right key opens an exchange, a
 * right Finish makes the exchange a path, exactly once; repetitions get the same answers again, up
 * to a limit. A replayed Init opens an exchange that nobody can finish, because the nonce of this
 * side is new.
 *
 * <p>Owned by {@link PskHandshake}; time comes with each call.
 */
final class PskResponder {
  private static final long SECOND_NS = 1_000_000_000L;

  private final PskSettings settings;
  private final PskKeys keys;
  private final PskCounters counters;
  private final HandshakeHost host;
  private final RandomGenerator random;
  private final ExchangeTable<HalfOpen> halfOpen;
  private final ExchangeTable<Completed> completed;
  private long rejectSecondNs;
  private int rejectsInSecond;
  private byte @Nullable [] answer;
  private @Nullable String refusal;
  private HandshakeOutcome.@Nullable Established established;

  /** Where the datagram comes from that is taken in; null if nobody says so. */
  private @Nullable InetAddress source;

  /** An exchange answered with Reply. */
  private static final class HalfOpen {
    private final PskSchedule schedule;
    private final Nonce responderNonce;
    private final byte[] reply;
    private final byte[] localAdvert;
    private final @Nullable InetAddress from;
    private final long repliedNs;
    private final long epoch;
    private int answers = 1;

    private HalfOpen(
        PskSchedule schedule,
        Nonce responderNonce,
        byte[] reply,
        byte[] localAdvert,
        @Nullable InetAddress from,
        long repliedNs,
        long epoch) {
      this.schedule = schedule;
      this.responderNonce = responderNonce;
      this.reply = reply;
      this.localAdvert = localAdvert;
      this.from = from;
      this.repliedNs = repliedNs;
      this.epoch = epoch;
    }
  }

  /** An exchange that became a path. */
  private static final class Completed {
    private final Nonce responderNonce;
    private final byte[] done;
    private int answers = 1;

    private Completed(Nonce responderNonce, byte[] done) {
      this.responderNonce = responderNonce;
      this.done = done;
    }
  }

  PskResponder(
      PskSettings settings,
      PskKeys keys,
      PskCounters counters,
      HandshakeHost host,
      RandomGenerator random) {
    this.settings = settings;
    this.keys = keys;
    this.counters = counters;
    this.host = host;
    this.random = random;
    long lifetimeNs = settings.times().lifetimeNs();
    halfOpen =
        new ExchangeTable<>(
            settings.limits().halfOpen(),
            lifetimeNs,
            exchange -> {
              exchange.schedule.close();
              counters.forgotten++;
            });
    completed = new ExchangeTable<>(settings.limits().completed(), lifetimeNs, exchange -> {});
  }

  void onSource(InetAddress from) {
    source = from;
  }

  /** A peer begins. */
  void onInit(PskDatagram datagram, long nowNs) {
    onDeadline(nowNs);
    Nonce nonce = datagram.initiatorNonce();
    if (!keys.initMac().matches(datagram.mac(), datagram.authenticated())) {
      counters.wrongKeys++;
      refusal = "it does not have this node's pre-shared key, or is not a Millrace node";
      reject(null, RejectReason.WRONG_KEY, nonce, nowNs);
      return;
    }
    HalfOpen known = halfOpen.find(nonce);
    if (completed.find(nonce) != null) {
      counters.repeated++;
    } else if (known != null) {
      counters.repeated++;
      if (known.answers < settings.limits().answers()) {
        known.answers++;
        answer = known.reply;
      }
    } else {
      openOrRefuse(datagram, nonce, nowNs);
    }
    assert invariantsHold();
  }

  /**
   * Why the peer is not welcome, or null; keeps a text of the reason, except for an expected
   * refusal.
   */
  private @Nullable RejectReason reason(PskDatagram datagram) {
    int version = datagram.protocolVersion();
    if (version != settings.protocolVersion()) {
      refusal = otherVersion(version, settings.protocolVersion(), "protocol");
      return RejectReason.UNSUPPORTED_VERSION;
    }
    if (datagram.incarnation() == settings.incarnation()) {
      refusal = "it is this node itself";
      return RejectReason.OWN_INIT;
    }
    return host.refusal() == HandshakeRefusal.SHUTTING_DOWN ? RejectReason.SHUTTING_DOWN : null;
  }

  private static String otherVersion(int theirs, int ours, String what) {
    return "it speaks version " + theirs + " of the " + what + ", this node version " + ours;
  }

  private void openOrRefuse(PskDatagram datagram, Nonce nonce, long nowNs) {
    RejectReason reason = reason(datagram);
    if (reason != null) {
      reject(keys.rejectMac(), reason, nonce, nowNs);
      return;
    }
    // The last message tells the caller, so the worker is chosen without knowledge of the caller.
    byte[] advert = host.advert().clone();
    if (advert.length > PskEncoder.MAX_ADVERT) {
      refusal = "this node's advert does not fit a handshake datagram: advertise fewer endpoints";
      reject(keys.rejectMac(), RejectReason.NULL_VAL, nonce, nowNs);
      return;
    }
    long epoch = host.epoch();
    Nonce own = Nonce.random(random);
    PskSchedule schedule =
        keys.schedule(
            settings.protocolVersion(), datagram.incarnation(), settings.incarnation(), nonce, own);
    byte[] reply;
    try (AeadKey key = schedule.replyKey()) {
      reply =
          PskEncoder.reply(
              key,
              settings.protocolVersion(),
              settings.incarnation(),
              new Nonce[] {nonce, own},
              advert);
    }
    halfOpen.add(nonce, new HalfOpen(schedule, own, reply, advert, source, nowNs, epoch), nowNs);
    answer = reply;
  }

  /** A peer proves now that the peer has the key. */
  void onFinish(PskDatagram datagram, long nowNs) {
    onDeadline(nowNs);
    Nonce nonce = datagram.initiatorNonce();
    Nonce own = datagram.responderNonce();
    Completed ended = completed.find(nonce);
    HalfOpen known = halfOpen.find(nonce);
    if (ended != null && ended.responderNonce.equals(own)) {
      counters.repeated++;
      if (ended.answers < settings.limits().answers()) {
        ended.answers++;
        answer = ended.done;
      }
    } else if (known != null
        && known.responderNonce.equals(own)
        && Objects.equals(known.from, source)) {
      // A Finish from elsewhere may bear a forged address, which nothing was ever sent to.
      complete(datagram, known, nonce, nowNs);
    } else {
      counters.unknown++;
    }
    assert invariantsHold();
  }

  private void complete(PskDatagram datagram, HalfOpen known, Nonce nonce, long nowNs) {
    byte @Nullable [] advert;
    try (AeadKey key = known.schedule.finishKey()) {
      advert = OneShotAead.open(key, datagram.additionalData(), datagram.sealedAdvert());
    }
    Advert decoded = advert == null ? null : AdvertCodec.decode(advert);
    if (advert == null || decoded == null) {
      counters.forged++;
      refusal = "its proof of the pre-shared key is wrong";
      return;
    }
    HandshakeOutcome.Peer caller =
        // The giver of the datagram knows the address.
        new HandshakeOutcome.Peer(decoded.identity(), HandshakeOutcome.ProvedIdentity.NONE);
    String denial = host.denial(caller.proved());
    if (denial != null) {
      refusal = denial;
      reject(keys.rejectMac(), RejectReason.NOT_AUTHORISED, nonce, nowNs);
      return;
    }
    // Only the advert says whether the exchange is for a path with a place here.
    if (AdvertCodec.earlier(advert).renews() == 0
        && host.refusal() == HandshakeRefusal.TOO_MANY_PEERS) {
      refusal = "this node has as many peers as it allows";
      reject(keys.rejectMac(), RejectReason.TOO_MANY_PEERS, nonce, nowNs);
      return;
    }
    known.schedule.bind(known.reply, datagram.copy());
    byte[] done;
    try (HmacSha256 mac = known.schedule.doneMac()) {
      done = PskEncoder.done(mac, nonce, known.responderNonce);
    }
    halfOpen.remove(nonce);
    completed.add(nonce, new Completed(known.responderNonce, done), nowNs);
    answer = done;
    counters.established++;
    established =
        new HandshakeOutcome.Established(
            known.schedule.pathSecret(),
            false,
            known.localAdvert,
            advert,
            caller,
            nowNs - known.repliedNs,
            known.epoch);
    known.schedule.close();
  }

  /** A peer speaks another version of the handshake: tell the version of this node. */
  void onOtherVersion(PskDatagram datagram, long nowNs) {
    counters.otherVersions++;
    if (datagram.length() >= PskEncoder.REJECT_LENGTH) {
      refusal =
          datagram.version() == ProviderCard.VERSION
              ? ProviderCard.refusal(datagram.provider(), ProviderCard.PSK)
              : otherVersion(datagram.version(), PskDatagram.VERSION, "handshake");
      reject(null, RejectReason.UNSUPPORTED_VERSION, Nonce.NONE, nowNs);
    }
  }

  private void reject(
      @Nullable HmacSha256 mac, RejectReason reason, Nonce initiatorNonce, long nowNs) {
    if (nowNs - rejectSecondNs >= SECOND_NS || nowNs - rejectSecondNs < 0) {
      rejectSecondNs = nowNs;
      rejectsInSecond = 0;
    }
    if (rejectsInSecond == settings.limits().rejectsPerSecond()) {
      counters.rejectsWithheld++;
      return;
    }
    rejectsInSecond++;
    counters.rejectsSent++;
    answer = PskEncoder.reject(mac, settings.protocolVersion(), reason, initiatorNonce);
  }

  /** Forgets the exchanges that are under way, and their keys. */
  void onClose() {
    halfOpen.clear();
  }

  /** The answer to the message that came last, or null; once. */
  byte @Nullable [] pollAnswer() {
    byte[] polled = answer;
    answer = null;
    return polled;
  }

  /** Why the message that came last was refused, or null; once. */
  @Nullable String pollRefusal() {
    String polled = refusal;
    refusal = null;
    return polled;
  }

  /** The path that the last message established, or null; once. */
  HandshakeOutcome.@Nullable Established pollEstablished() {
    HandshakeOutcome.Established polled = established;
    established = null;
    return polled;
  }

  /** The time when an exchange is next forgotten. */
  long nextDeadlineNs() {
    return PskTimes.earlier(halfOpen.nextDeadlineNs(), completed.nextDeadlineNs());
  }

  /** Forgets old exchanges. */
  void onDeadline(long nowNs) {
    halfOpen.onDeadline(nowNs);
    completed.onDeadline(nowNs);
  }

  /** Exchanges begun and not finished. */
  int halfOpenExchanges() {
    return halfOpen.size();
  }

  private boolean invariantsHold() {
    return halfOpen.size() <= settings.limits().halfOpen()
        && completed.size() <= settings.limits().completed()
        && rejectsInSecond <= settings.limits().rejectsPerSecond();
  }
}
