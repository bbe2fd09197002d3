package io.millrace.handshake.psk;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HmacSha256;
import io.millrace.crypto.OneShotAead;
import io.millrace.handshake.Advert;
import io.millrace.handshake.AdvertCodec;
import io.millrace.wire.codec.RejectReason;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that this node began. Sends Init until Reply comes, then Finish until Done comes, and
 * ends in an outcome, at the latest when its time is over. An unauthenticated message (a refusal
 * without a right MAC, an answer in another version) is only a hint: the hint shortens the wait and
 * becomes the reason if no true answer comes.
 *
 * <p>Owned by {@link PskHandshake}; time comes with each call.
 */
final class PskInitiator {
  private static final long NANOS_PER_MS = 1_000_000L;
  private static final long MIN_ASSUMED_RTT_NS = 1_000_000L;

  private final PskSettings settings;
  private final PskKeys keys;
  private final PskCounters counters;
  private final Nonce nonce;
  private final byte[] localAdvert;
  private final long epoch;
  private PskRetransmission sending;
  private final long deadlineNs;
  private HandshakeOutcome.@Nullable Failed hint;
  private long hintDeadlineNs;
  private @Nullable HandshakeOutcome outcome;
  // from Reply on
  private @Nullable PskSchedule schedule;
  private @Nullable Nonce responderNonce;
  private byte[] remoteAdvert = {};
  private String remoteIdentity = "";
  private long rttNs;
  private boolean rttExact;

  PskInitiator(
      PskSettings settings,
      PskKeys keys,
      PskCounters counters,
      Nonce nonce,
      byte[] localAdvert,
      long epoch,
      long nowNs) {
    this.settings = settings;
    this.keys = keys;
    this.counters = counters;
    this.nonce = nonce;
    this.localAdvert = localAdvert;
    this.epoch = epoch;
    this.deadlineNs = nowNs + settings.times().timeoutNs();
    byte[] init =
        PskEncoder.init(keys.initMac(), settings.protocolVersion(), settings.incarnation(), nonce);
    this.sending = new PskRetransmission(init, settings.times().initialRttNs(), nowNs);
  }

  /** Takes in a message with this exchange's nonce. */
  void onDatagram(PskDatagram datagram, long nowNs) {
    if (outcome != null) {
      return;
    }
    switch (datagram.kind()) {
      case REPLY -> onReply(datagram, nowNs);
      case DONE -> onDone(datagram, nowNs);
      case REJECT -> onReject(datagram, nowNs);
      default -> counters.unknown++;
    }
    assert invariantsHold();
  }

  /** Somebody, perhaps the peer, answered in another version of the handshake. */
  void onOtherVersion(int version, long nowNs) {
    takeHint(
        new HandshakeOutcome.Failed(
            "the peer speaks version "
                + version
                + " of the handshake, this node version "
                + PskDatagram.VERSION,
            HandshakeFailure.UNSUPPORTED_VERSION),
        nowNs);
  }

  private void onReply(PskDatagram datagram, long nowNs) {
    if (schedule != null) {
      counters.repeated++;
      return;
    }
    Nonce theirs = datagram.responderNonce();
    PskSchedule candidate =
        keys.schedule(
            settings.protocolVersion(),
            settings.incarnation(),
            datagram.incarnation(),
            nonce,
            theirs);
    byte @Nullable [] advert;
    try (AeadKey key = candidate.replyKey()) {
      advert = OneShotAead.open(key, datagram.additionalData(), datagram.sealedAdvert());
    }
    if (advert == null) {
      candidate.close();
      counters.forged++;
      return;
    }
    Advert decoded = AdvertCodec.decode(advert);
    if (decoded == null) {
      candidate.close();
      fail("the peer's advert cannot be understood", HandshakeFailure.MALFORMED);
      return;
    }
    rttExact = sending.isUnambiguous();
    rttNs = sending.elapsedNs(nowNs);
    remoteAdvert = advert;
    remoteIdentity = decoded.identity();
    responderNonce = theirs;
    schedule = candidate;
    sendFinish(candidate, theirs, datagram.copy(), nowNs);
  }

  private void sendFinish(PskSchedule candidate, Nonce theirs, byte[] reply, long nowNs) {
    byte[] finish;
    try (AeadKey key = candidate.finishKey()) {
      finish = PskEncoder.finish(key, nonce, theirs, localAdvert);
    }
    candidate.bind(reply, finish);
    // The peer has to derive keys before its answer, which can take longer than a short way.
    long assumedRttNs =
        rttExact ? Math.max(MIN_ASSUMED_RTT_NS, rttNs) : settings.times().initialRttNs();
    sending = new PskRetransmission(finish, assumedRttNs, nowNs);
  }

  private void onDone(PskDatagram datagram, long nowNs) {
    PskSchedule known = schedule;
    if (known == null || !datagram.responderNonce().equals(responderNonce)) {
      counters.unknown++;
      return;
    }
    boolean isRight;
    try (HmacSha256 mac = known.doneMac()) {
      isRight = mac.matches(datagram.mac(), datagram.authenticated());
    }
    if (!isRight) {
      counters.forged++;
      return;
    }
    if (!rttExact) {
      rttNs = Math.min(rttNs, sending.elapsedNs(nowNs));
    }
    counters.established++;
    outcome =
        new HandshakeOutcome.Established(
            known.pathSecret(),
            true,
            localAdvert,
            remoteAdvert,
            HandshakeOutcome.Peer.unproved(remoteIdentity),
            rttNs,
            epoch);
    known.close();
  }

  private void onReject(PskDatagram datagram, long nowNs) {
    boolean vouched = keys.rejectMac().matches(datagram.mac(), datagram.authenticated());
    HandshakeOutcome.Failed refusal = refusal(datagram);
    if (schedule != null) {
      // The reasons that the responder knows after Finish only.
      if (vouched
          && (datagram.reason() == RejectReason.TOO_MANY_PEERS
              || datagram.reason() == RejectReason.NOT_AUTHORISED)) {
        fail(refusal.reason(), refusal.cause());
      } else {
        counters.unknown++;
      }
      return;
    }
    // Anyone on the way can send our own Init back to us, so that is a hint even with a right MAC.
    if (vouched && datagram.reason() != RejectReason.OWN_INIT) {
      outcome = refusal;
    } else {
      takeHint(refusal, nowNs);
    }
  }

  private HandshakeOutcome.Failed refusal(PskDatagram datagram) {
    return switch (datagram.reason()) {
      case WRONG_KEY ->
          new HandshakeOutcome.Failed(
              "the peer does not accept this pre-shared key (or is not a Millrace node)",
              HandshakeFailure.WRONG_CREDENTIALS);
      case UNSUPPORTED_VERSION ->
          new HandshakeOutcome.Failed(
              "the peer speaks version "
                  + datagram.protocolVersion()
                  + " of the protocol, this node version "
                  + settings.protocolVersion(),
              HandshakeFailure.UNSUPPORTED_VERSION);
      case TOO_MANY_PEERS ->
          new HandshakeOutcome.Failed(
              "the peer has as many peers as it allows", HandshakeFailure.REFUSED);
      case NOT_AUTHORISED ->
          new HandshakeOutcome.Failed(
              "the peer does not authorise this node", HandshakeFailure.REFUSED);
      case SHUTTING_DOWN ->
          new HandshakeOutcome.Failed("the peer is shutting down", HandshakeFailure.REFUSED);
      case OWN_INIT ->
          new HandshakeOutcome.Failed(
              "the address leads back to this node", HandshakeFailure.OWN_ADDRESS);
      case NO_COMMON_DRIVER, WRONG_NAME, MALFORMED, NULL_VAL ->
          new HandshakeOutcome.Failed("the peer refused this node", HandshakeFailure.REFUSED);
    };
  }

  private void takeHint(HandshakeOutcome.Failed failure, long nowNs) {
    if (hint == null && schedule == null) {
      hint = failure;
      hintDeadlineNs = PskTimes.earlier(deadlineNs, nowNs + settings.times().hintNs());
    }
  }

  /** The next datagram to send, or null. */
  byte @Nullable [] pollMessage(long nowNs) {
    if (outcome != null || !sending.isDue(nowNs)) {
      return null;
    }
    sending.onSent(nowNs);
    return sending.datagram();
  }

  /** The time of the next work. */
  long nextDeadlineNs() {
    return PskTimes.earlier(sending.nextNs(), giveUpNs());
  }

  /** Gives up when the time is over. */
  void onDeadline(long nowNs) {
    if (outcome == null && nowNs - giveUpNs() >= 0) {
      giveUp();
    }
  }

  private long giveUpNs() {
    return hint != null && schedule == null ? hintDeadlineNs : deadlineNs;
  }

  private void giveUp() {
    HandshakeOutcome.Failed hinted = hint;
    if (schedule != null) {
      fail("the peer stopped answering during the handshake", HandshakeFailure.NO_ANSWER);
    } else if (hinted != null) {
      outcome = hinted;
    } else {
      fail(
          "no answer within "
              + settings.times().timeoutNs() / NANOS_PER_MS
              + " ms: nothing listens there, it is not a Millrace node, or it does not accept this"
              + " pre-shared key",
          HandshakeFailure.NO_ANSWER);
    }
  }

  /** Ends the exchange because this node closes. */
  void onClose() {
    if (outcome == null) {
      fail("this node was closed during the handshake", HandshakeFailure.CLOSED);
    }
  }

  private void fail(String reason, HandshakeFailure cause) {
    PskSchedule known = schedule;
    if (known != null) {
      known.close();
    }
    outcome = new HandshakeOutcome.Failed(reason, cause);
  }

  /** The outcome of the exchange, or null while the exchange goes on. */
  @Nullable HandshakeOutcome outcome() {
    return outcome;
  }

  private boolean invariantsHold() {
    return (schedule == null) == (responderNonce == null)
        && (schedule != null || remoteIdentity.isEmpty())
        && !(outcome instanceof HandshakeOutcome.Established && schedule == null);
  }
}
