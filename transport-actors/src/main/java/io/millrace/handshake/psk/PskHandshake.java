package io.millrace.handshake.psk;

import io.millrace.crypto.DatagramHandshake;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeHost;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.memory.SegmentBuffer;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.random.RandomGenerator;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * All exchanges with a pre-shared key over a handshake address: the exchanges that this node began,
 * and the exchanges that peers began. The package describes the messages and keys.
 *
 * <p>Not thread-safe; time and randomness are given, so the simulator can drive the handshake.
 * Allocates: the exchanges are control plane. A stranger's message costs a single MAC at most, and
 * no more memory than {@link PskLimits} allows.
 */
public final class PskHandshake implements DatagramHandshake {
  private final PskSettings settings;
  private final RandomGenerator random;
  private final PskKeys keys;
  private final PskCounters counters = new PskCounters();
  private final HandshakeHost host;
  private final PskResponder responder;
  private final Map<Nonce, Initiation> initiations = new LinkedHashMap<>();
  private final Queue<Ended> ended = new ArrayDeque<>();
  private final PskDatagram datagram = new PskDatagram();
  private final SegmentBuffer sent = new SegmentBuffer(0, 0);
  private long exchanges = PEERS_EXCHANGE;
  private long nowNs;
  private long answerToken;
  private boolean closed;

  private record Initiation(long exchangeId, long toToken, PskInitiator initiator) {}

  /**
   * No exchanges yet.
   *
   * @param random a {@link java.security.SecureRandom} outside of tests and simulations: secrets
   *     depend on it
   */
  public PskHandshake(PskSettings settings, HandshakeHost host, RandomGenerator random) {
    this.settings = settings;
    this.random = random;
    this.host = host;
    this.keys = new PskKeys(settings.key());
    this.responder = new PskResponder(settings, keys, counters, host, random);
  }

  @Override
  public long connect(long toToken, byte[] localAdvert, long nowNs) {
    if (localAdvert.length > PskEncoder.MAX_ADVERT) {
      throw new IllegalArgumentException(
          "an advert of "
              + localAdvert.length
              + " bytes does not fit a handshake datagram, which has room for "
              + PskEncoder.MAX_ADVERT
              + ": advertise fewer endpoints");
    }
    if (closed) {
      throw new IllegalStateException("the handshakes of this node are closed");
    }
    this.nowNs = nowNs;
    long exchangeId = ++exchanges;
    if (initiations.size() == settings.limits().initiations()) {
      ended.add(
          new Ended(
              exchangeId,
              new HandshakeOutcome.Failed(
                  "this node has begun " + initiations.size() + " handshakes, its limit",
                  HandshakeFailure.TOO_MANY_HANDSHAKES)));
      return exchangeId;
    }
    long epoch = host.epoch();
    Nonce nonce = Nonce.random(random);
    PskInitiator initiator =
        new PskInitiator(settings, keys, counters, nonce, localAdvert.clone(), epoch, nowNs);
    initiations.put(nonce, new Initiation(exchangeId, toToken, initiator));
    return exchangeId;
  }

  @Override
  public boolean isFirst(DirectBuffer buffer, int offset, int length) {
    PskDatagram.Kind kind = datagram.wrap(buffer, offset, length);
    return kind == PskDatagram.Kind.INIT || kind == PskDatagram.Kind.OTHER_VERSION;
  }

  @Override
  public void onSource(InetAddress from) {
    responder.onSource(from);
  }

  @Override
  public void onMessage(DirectBuffer buffer, int offset, int length, long fromToken, long nowNs) {
    if (closed) {
      return;
    }
    this.nowNs = nowNs;
    answerToken = fromToken;
    switch (datagram.wrap(buffer, offset, length)) {
      case INIT -> responder.onInit(datagram, nowNs);
      case FINISH -> responder.onFinish(datagram, nowNs);
      case REPLY, DONE, REJECT -> onAnswer(nowNs);
      case OTHER_VERSION -> {
        responder.onOtherVersion(datagram, nowNs);
        hintAtVersion(fromToken, datagram.version(), nowNs);
      }
      case MALFORMED -> counters.malformed++;
    }
    HandshakeOutcome.Established established = responder.pollEstablished();
    if (established != null) {
      ended.add(new Ended(PEERS_EXCHANGE, established));
    }
  }

  private void onAnswer(long nowNs) {
    Nonce nonce = datagram.initiatorNonce();
    Initiation initiation = initiations.get(nonce);
    if (initiation != null) {
      initiation.initiator().onDatagram(datagram, nowNs);
      if (collect(initiation)) {
        initiations.remove(nonce);
      }
    } else {
      counters.unknown++;
    }
  }

  // Another version may hide the nonce anywhere, so the sender's address has to do.
  private void hintAtVersion(long fromToken, int version, long nowNs) {
    for (Initiation initiation : initiations.values()) {
      if (initiation.toToken() == fromToken) {
        initiation.initiator().onOtherVersion(version, nowNs);
      }
    }
  }

  private boolean collect(Initiation initiation) {
    HandshakeOutcome outcome = initiation.initiator().outcome();
    if (outcome == null) {
      return false;
    }
    ended.add(new Ended(initiation.exchangeId(), outcome));
    return true;
  }

  @Override
  public boolean pollMessage(MessageSink sink) {
    byte[] answer = responder.pollAnswer();
    if (answer != null) {
      give(sink, answer, answerToken);
      return true;
    }
    for (Initiation initiation : initiations.values()) {
      byte[] message = initiation.initiator().pollMessage(nowNs);
      if (message != null) {
        give(sink, message, initiation.toToken());
        return true;
      }
    }
    return false;
  }

  private void give(MessageSink sink, byte[] message, long toToken) {
    sent.wrap(message);
    sink.onMessage(sent, 0, message.length, toToken);
  }

  @Override
  public @Nullable Ended pollOutcome() {
    return ended.poll();
  }

  @Override
  public @Nullable String pollRefusal() {
    return responder.pollRefusal();
  }

  @Override
  public long nextDeadlineNs() {
    long nextNs = responder.nextDeadlineNs();
    for (Initiation initiation : initiations.values()) {
      nextNs = PskTimes.earlier(nextNs, initiation.initiator().nextDeadlineNs());
    }
    return nextNs;
  }

  @Override
  public void onDeadline(long nowNs) {
    this.nowNs = nowNs;
    responder.onDeadline(nowNs);
    Iterator<Initiation> iterator = initiations.values().iterator();
    while (iterator.hasNext()) {
      Initiation initiation = iterator.next();
      initiation.initiator().onDeadline(nowNs);
      if (collect(initiation)) {
        iterator.remove();
      }
    }
  }

  @Override
  public void onClose() {
    for (Initiation initiation : initiations.values()) {
      initiation.initiator().onClose();
      collect(initiation);
    }
    initiations.clear();
    responder.onClose();
    keys.close();
    closed = true;
  }

  @Override
  public int maxAdvertBytes() {
    return PskEncoder.MAX_ADVERT;
  }

  /** The counts so far. */
  public PskCounters counters() {
    return counters;
  }

  /** Exchanges that peers have begun and not finished. */
  public int halfOpenExchanges() {
    return responder.halfOpenExchanges();
  }
}
