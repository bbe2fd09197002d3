package io.millrace.handshake.psk;

import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.DatagramHandshake;
import io.millrace.crypto.HandshakeHost;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeRefusal;
import io.millrace.handshake.Advert;
import io.millrace.handshake.AdvertCodec;
import io.millrace.handshake.CreditTerms;
import io.millrace.memory.SegmentBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A node of the tests: a handshake, the node's offer, and the outcomes. */
final class PskNode implements HandshakeHost {
  static final PreSharedKey KEY = new PreSharedKey("a key of the laboratory, 32 bytes+".getBytes());

  final String name;
  final PskHandshake handshake;
  final List<DatagramHandshake.Ended> ended = new ArrayList<>();
  @Nullable HandshakeRefusal refusal;
  int advertsMade;
  long epoch;

  PskNode(String name, PskSettings settings, long seed) {
    this.name = name;
    this.handshake = new PskHandshake(settings, this, new Random(seed));
  }

  PskNode(String name, long seed) {
    this(name, PskSettings.of(KEY, seed), seed);
  }

  static byte[] advert(String name) {
    return AdvertCodec.encode(
        new Advert(
            1,
            77,
            65_536,
            16,
            1_400,
            AesKeySize.AES_128,
            512,
            CreditTerms.ENDLESS,
            List.of(),
            name + ":7400"));
  }

  @Override
  public @Nullable HandshakeRefusal refusal() {
    return refusal;
  }

  @Override
  public byte[] advert() {
    advertsMade++;
    return advert(name);
  }

  @Override
  public long epoch() {
    return epoch;
  }

  long connect(long toToken, long nowNs) {
    return handshake.connect(toToken, advert(name), nowNs);
  }

  /** A datagram under way. */
  record Sent(long toToken, byte[] bytes) {
    @Override
    public String toString() {
      return "Sent[to " + toToken + ", " + bytes.length + " bytes]";
    }
  }

  List<Sent> poll() {
    List<Sent> sent = new ArrayList<>();
    boolean more = true;
    while (more) {
      more =
          handshake.pollMessage(
              (buffer, offset, length, toToken) -> {
                byte[] bytes = new byte[length];
                buffer.getBytes(offset, bytes);
                sent.add(new Sent(toToken, bytes));
              });
    }
    DatagramHandshake.Ended next = handshake.pollOutcome();
    while (next != null) {
      ended.add(next);
      next = handshake.pollOutcome();
    }
    return sent;
  }

  List<Sent> receive(byte[] bytes, long fromToken, long nowNs) {
    // A copy at an odd place, cut to size: reading beyond its end would throw.
    byte[] room = new byte[3 + bytes.length];
    System.arraycopy(bytes, 0, room, 3, bytes.length);
    handshake.onMessage(new SegmentBuffer(room), 3, bytes.length, fromToken, nowNs);
    Arrays.fill(room, (byte) 0xEE);
    return poll();
  }

  List<HandshakeOutcome.Established> established() {
    return ended.stream()
        .map(DatagramHandshake.Ended::outcome)
        .filter(HandshakeOutcome.Established.class::isInstance)
        .map(HandshakeOutcome.Established.class::cast)
        .toList();
  }

  HandshakeOutcome.Failed failure() {
    return ended.stream()
        .map(DatagramHandshake.Ended::outcome)
        .filter(HandshakeOutcome.Failed.class::isInstance)
        .map(HandshakeOutcome.Failed.class::cast)
        .findFirst()
        .orElseThrow();
  }
}
