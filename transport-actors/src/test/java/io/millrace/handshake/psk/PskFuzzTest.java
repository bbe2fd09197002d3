package io.millrace.handshake.psk;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.HmacSha256;
import io.millrace.handshake.Advert;
import io.millrace.handshake.AdvertCodec;
import io.millrace.handshake.AdvertSeeds;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.FrameHeaderEncoder;
import io.millrace.wire.codec.PskInitEncoder;
import io.millrace.wire.codec.PskRejectEncoder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes reach a node in an exchange, from strangers and, under the right keys, from peers. No
 * exception comes out, no answer is longer than the question, and only a sound advert gives a path.
 * The first byte of an input chooses the sender, and the kind of the message.
 */
public class PskFuzzTest {
  private static final long NOW_NS = 50 * PskNetwork.MS;
  private static final long ALICE = 0;
  private static final long BOB = 1;
  private static final int STRANGER = 0;
  private static final int INIT = 1;
  private static final int REPLY = 2;
  private static final int FINISH = 3;
  private static final int REJECT = 4;
  private static final int ADVERT = 5;
  private static final int LATE = 6;
  private static final int SENDERS = 7;

  private final PskKeys keys = new PskKeys(PskNode.KEY);

  /** Init, Reply, Finish and Done of an undisturbed exchange: always the same bytes. */
  private static final List<byte[]> GENUINE = genuine();

  private static List<byte[]> genuine() {
    PskNode alice = new PskNode("alice", 1);
    PskNode bob = new PskNode("bob", 2);
    byte[] init = begin(alice);
    byte[] reply = bob.receive(init, ALICE, NOW_NS).getFirst().bytes();
    byte[] finish = alice.receive(reply, BOB, NOW_NS).getFirst().bytes();
    return List.of(init, reply, finish, bob.receive(finish, ALICE, NOW_NS).getFirst().bytes());
  }

  /**
   * Each message as a stranger's message and under the right keys, and the contents of a Reply and
   * a Finish.
   */
  public static Stream<byte[]> seeds() {
    return Stream.concat(genuineChanged(), underKeys());
  }

  /** Each message as a stranger's input; the first byte of an input is no part of the message. */
  public static Stream<byte[]> genuineChanged() {
    PskFuzzTest test = new PskFuzzTest();
    byte[] reject = test.reject(GENUINE.getFirst(), new byte[] {1, 0, 2});
    return Stream.of(
        as(STRANGER, GENUINE.get(0)),
        as(STRANGER, changed(GENUINE.get(1))),
        as(STRANGER, changed(GENUINE.get(2))),
        as(STRANGER, changed(GENUINE.get(3))),
        as(STRANGER, changed(reject)),
        as(LATE, GENUINE.get(1)),
        as(LATE, GENUINE.get(2)),
        as(LATE, changed(GENUINE.get(3))));
  }

  private static Stream<byte[]> underKeys() {
    return Stream.of(
        as(INIT, GENUINE.get(0)),
        as(REPLY, PskNode.advert("bob")),
        as(FINISH, PskNode.advert("alice")),
        as(REJECT, new byte[] {1, 0, 2}),
        as(REJECT, new byte[] {1, 0, 8}),
        as(ADVERT, PskNode.advert("carol")),
        as(ADVERT, AdvertSeeds.ofTwoEndpoints()));
  }

  private static byte[] changed(byte[] datagram) {
    byte[] changed = datagram.clone();
    changed[changed.length - 1] ^= 1;
    return changed;
  }

  private static byte[] as(int sender, byte[] content) {
    byte[] input = new byte[1 + content.length];
    input[0] = (byte) sender;
    System.arraycopy(content, 0, input, 1, content.length);
    return input;
  }

  private static byte[] begin(PskNode alice) {
    alice.connect(BOB, NOW_NS);
    return alice.poll().getFirst().bytes();
  }

  @MethodSource("seeds")
  @FuzzTest
  void shouldNeitherThrowNorAmplifyNorBelieve(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] content = Arrays.copyOfRange(input, 1, input.length);
    PskNode alice = new PskNode("alice", 1);
    PskNode bob = new PskNode("bob", 2);
    byte[] init = begin(alice);
    switch ((input[0] & 0xFF) % SENDERS) {
      case INIT -> give(bob, init(content), null);
      case REPLY -> give(alice, reply(init, content), content);
      case FINISH -> give(bob, finish(init, bob, content), content);
      case REJECT -> give(alice, reject(init, content), null);
      case ADVERT -> decode(content);
      case LATE -> late(alice, bob, init, content);
      default -> strange(alice, bob, init, content);
    }
  }

  private static void strange(PskNode alice, PskNode bob, byte[] init, byte[] content) {
    if (GENUINE.stream().noneMatch(datagram -> Arrays.equals(datagram, content))) {
      bob.receive(init, ALICE, NOW_NS);
      give(bob, content, null);
      give(alice, content, null);
    }
  }

  /** A stranger's datagram comes once Reply and Finish have come; Done has not. */
  private static void late(PskNode alice, PskNode bob, byte[] init, byte[] content) {
    if (Arrays.equals(content, GENUINE.get(3))) {
      return;
    }
    byte[] reply = bob.receive(init, ALICE, NOW_NS).getFirst().bytes();
    byte[] finish = alice.receive(reply, BOB, NOW_NS).getFirst().bytes();
    bob.receive(finish, ALICE, NOW_NS);
    int established = bob.established().size();
    boolean isGenuine = GENUINE.stream().anyMatch(datagram -> Arrays.equals(datagram, content));
    for (PskNode node : List.of(alice, bob)) {
      List<PskNode.Sent> answers = node.receive(content, ALICE, NOW_NS);
      require(answers.size() <= 1, answers.size() + " answers to one datagram");
      for (PskNode.Sent answer : answers) {
        require(answer.bytes().length <= content.length || isGenuine, "it amplifies");
      }
    }
    require(alice.established().isEmpty(), "a path came of a stranger's Done");
    require(bob.established().size() == established, "another path came of a stranger");
  }

  /**
   * Gives a datagram to a node; {@code advert} is the datagram's content under the right key, or
   * null.
   */
  private static void give(PskNode node, byte[] datagram, byte @Nullable [] advert) {
    List<PskNode.Sent> answers = node.receive(datagram, ALICE, NOW_NS);
    for (PskNode.Sent answer : answers) {
      // Alice answers a Reply with a proof of the sender; all other answers go to strangers.
      require(
          answer.bytes().length <= datagram.length || advert != null,
          answer.bytes().length + " bytes answer " + datagram.length);
    }
    require(answers.size() <= 1, answers.size() + " answers to one datagram");
    boolean isSound = advert != null && AdvertCodec.decode(advert) != null;
    require(node.established().isEmpty() || isSound, "a path came of an unsound advert");
  }

  private static void decode(byte[] content) {
    Advert advert = AdvertCodec.decode(content);
    if (advert != null) {
      require(advert.equals(AdvertCodec.decode(AdvertCodec.encode(advert))), "it changed");
    }
  }

  /** An Init with this content, under the right MAC. */
  private byte[] init(byte[] content) {
    byte[] datagram = Arrays.copyOf(content, Math.min(content.length, PskDatagram.MAX_LENGTH + 9));
    int mac = PskDatagram.BLOCK_OFFSET + PskInitEncoder.macEncodingOffset();
    if (datagram.length < mac + Nonce.LENGTH) {
      return datagram;
    }
    Arrays.fill(datagram, mac, mac + Nonce.LENGTH, (byte) 0);
    System.arraycopy(keys.initMac().tag(datagram), 0, datagram, mac, HmacSha256.LENGTH);
    return datagram;
  }

  private PskSchedule schedule(Nonce initiators, Nonce responders) {
    return keys.schedule(PskSettings.PROTOCOL_VERSION, 1, 2, initiators, responders);
  }

  private static PskDatagram view(byte[] datagram) {
    PskDatagram view = new PskDatagram();
    view.wrap(new SegmentBuffer(datagram), 0, datagram.length);
    return view;
  }

  private static byte[] fitting(byte[] advert) {
    return Arrays.copyOf(advert, Math.min(advert.length, PskEncoder.MAX_ADVERT));
  }

  private byte[] reply(byte[] init, byte[] advert) {
    Nonce initiators = view(init).initiatorNonce();
    Nonce responders = new Nonce(1, 2, 3, 4);
    try (AeadKey key = schedule(initiators, responders).replyKey()) {
      return PskEncoder.reply(
          key,
          PskSettings.PROTOCOL_VERSION,
          2,
          new Nonce[] {initiators, responders},
          fitting(advert));
    }
  }

  private byte[] finish(byte[] init, PskNode bob, byte[] advert) {
    byte[] reply = bob.receive(init, ALICE, NOW_NS).getFirst().bytes();
    PskDatagram view = view(reply);
    Nonce initiators = view.initiatorNonce();
    Nonce responders = view.responderNonce();
    try (AeadKey key = schedule(initiators, responders).finishKey()) {
      return PskEncoder.finish(key, initiators, responders, fitting(advert));
    }
  }

  /** A Reject of Alice's exchange with this version and reason, under the right MAC. */
  private byte[] reject(byte[] init, byte[] content) {
    SegmentBuffer buffer = new SegmentBuffer(new byte[PskEncoder.REJECT_LENGTH]);
    FrameHeaderEncoder header = new FrameHeaderEncoder();
    PskRejectEncoder encoder =
        new PskRejectEncoder().wrapAndApplyHeader(buffer, PskDatagram.ENVELOPE, header);
    header.frameLength(PskEncoder.REJECT_LENGTH - PskDatagram.ENVELOPE).reserved((short) 0);
    buffer.putByte(0, PacketHeader.FORM_HANDSHAKE);
    buffer.putByte(1, (byte) PskDatagram.VERSION);
    buffer.putBytes(PskDatagram.BLOCK_OFFSET, content, 0, Math.min(content.length, 3));
    encoder.putInitiatorNonce(view(init).initiatorNonce().bytes(), 0, Nonce.LENGTH);
    int mac = PskDatagram.BLOCK_OFFSET + PskRejectEncoder.macEncodingOffset();
    byte[] covered = Arrays.copyOf(buffer.byteArray(), mac);
    encoder.putMac(keys.rejectMac().tag(covered), 0, HmacSha256.LENGTH);
    return buffer.byteArray();
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
