package io.millrace.handshake;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.access.PeerIdentity;
import io.millrace.crypto.HandshakeHost;
import io.millrace.crypto.HandshakeRefusal;
import io.millrace.crypto.PathSecret;
import io.millrace.crypto.kem.KeyEncapsulation;
import io.millrace.crypto.kem.PostQuantum;
import io.millrace.handshake.certificates.PeerNames;
import io.millrace.handshake.certificates.TestCertificates;
import io.millrace.wire.codec.RejectReason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A holder of a certificate of the authority sends any bytes in place of an advert. No exception
 * comes out, the node keeps whole frames only, and only a sound advert of the certificate's host
 * gives a path; rules H-8 to H-10. The first byte of an input chooses the side, the use of
 * ML-KEM-768 on both sides, and the length of the pieces.
 */
public class AdvertFuzzTest {
  private static final int HYBRID = 1;
  private static final int AT_INITIATOR = 2;
  private static final int BITS = 2;
  private static final String HOST = "127.0.0.1";
  private static final long OWN_INCARNATION = 9;
  private static final InetSocketAddress CALLED =
      new InetSocketAddress(InetAddress.ofLiteral(HOST), 7_400);
  private static final byte[] OWN_ADVERT =
      AdvertCodec.encode(AdvertSeeds.advert(HOST + ":7400", OWN_INCARNATION));
  private static final X509Certificate CERTIFICATE =
      new TestCertificates("authority").issue("peer", HOST, "*.db.example.org").chain().getFirst();
  private static final CertifiedExchange EXCHANGE =
      new CertifiedExchange(PeerNames.NONE, new Host(), OWN_INCARNATION, PostQuantum.ON);

  /** A node that takes every peer except a peer with port 1 in its own address. */
  private static final class Host implements HandshakeHost {
    @Override
    public @Nullable HandshakeRefusal refusal() {
      return null;
    }

    @Override
    public @Nullable String denial(PeerIdentity peer) {
      return peer.address().endsWith(":1") ? "not you" : null;
    }

    @Override
    public byte[] advert() {
      return OWN_ADVERT;
    }

    @Override
    public long epoch() {
      return 0;
    }
  }

  /** Every frame of such a handshake, at both sides. */
  public static Stream<byte[]> seeds() {
    byte[] advert = AdvertCodec.encode(AdvertSeeds.advert(HOST + ":7400", 78));
    byte[] ofName = AdvertCodec.encode(AdvertSeeds.advert("a.db.example.org:1", 78));
    byte[] ofAnother = AdvertCodec.encode(AdvertSeeds.advert("10.0.0.9:7400", 78));
    byte[] reject =
        AdvertFrames.encode(new AdvertFrames.Reject(RejectReason.TOO_MANY_PEERS, "full"));
    try (KeyEncapsulation keys = KeyEncapsulation.generate()) {
      byte[] asking = HybridAdvertFrame.encode(keys.publicKey(), advert);
      byte[] answering =
          HybridAdvertFrame.encode(new byte[KeyEncapsulation.CIPHERTEXT_BYTES], advert);
      List<byte[]> seeds = new ArrayList<>();
      for (int at : new int[] {0, AT_INITIATOR}) {
        for (byte[] frame : List.of(advert, ofName, ofAnother, OWN_ADVERT, reject)) {
          seeds.add(as(at, frame));
        }
        seeds.add(as(at | HYBRID, at == 0 ? asking : answering));
        seeds.add(as(at | HYBRID, reject));
        seeds.add(as(at | HYBRID, advert));
      }
      return seeds.stream();
    }
  }

  private static byte[] as(int how, byte[] content) {
    byte[] input = new byte[1 + content.length];
    input[0] = (byte) how;
    System.arraycopy(content, 0, input, 1, content.length);
    return input;
  }

  @MethodSource("seeds")
  @FuzzTest
  void shouldNeitherThrowNorBelieve(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] content = Arrays.copyOfRange(input, 1, input.length);
    byte @Nullable [] frame = cut(content, (input[0] & 0xFF) >> BITS);
    boolean isHybrid = (input[0] & HYBRID) != 0;
    if ((input[0] & AT_INITIATOR) != 0) {
      asInitiator(frame, isHybrid);
    } else {
      asResponder(frame, isHybrid);
    }
  }

  /** The first frame of bytes in pieces; null without a whole frame. */
  private static byte @Nullable [] cut(byte[] content, int pieceBytes) {
    AdvertFrames frames = new AdvertFrames();
    int step = pieceBytes == 0 ? Math.max(1, content.length) : pieceBytes;
    for (int at = 0; at < content.length; at += step) {
      ByteBuffer piece = ByteBuffer.wrap(content, at, Math.min(step, content.length - at));
      byte @Nullable [] frame = frames.take(piece);
      if (frame != null) {
        int length = frame.length;
        require(length <= AdvertFrames.MAX_FRAME_BYTES, "a frame of " + length + " bytes is kept");
        require(Arrays.equals(frame, Arrays.copyOf(content, length)), "the frame was changed");
        return frame;
      }
    }
    return null;
  }

  private static void asResponder(byte @Nullable [] frame, boolean isHybrid) {
    try (KeyAgreement agreement = KeyAgreement.ofResponder(frame, isHybrid)) {
      byte @Nullable [] remote = agreement.remote();
      switch (EXCHANGE.answer(remote, CERTIFICATE, CALLED)) {
        case CertifiedExchange.Answer.Accepted accepted -> {
          requireSound(remote, accepted.peer().name());
          byte[] answer = agreement.responderFrame(accepted.frame());
          require(answer.length <= AdvertFrames.MAX_FRAME_BYTES, "its answer is no frame");
          requireSecret(agreement, isHybrid);
        }
        case CertifiedExchange.Answer.Refused refused ->
            require(AdvertFrames.decodeReject(refused.frame()) != null, "it is no refusal");
      }
    }
  }

  private static void asInitiator(byte @Nullable [] frame, boolean isHybrid) {
    try (KeyAgreement agreement = KeyAgreement.ofInitiator(OWN_ADVERT, isHybrid)) {
      byte @Nullable [] remote = agreement.onAnswer(frame).remote();
      switch (EXCHANGE.verdict(remote, CERTIFICATE, CALLED)) {
        case CertifiedExchange.Verdict.Accepted accepted -> {
          requireSound(remote, accepted.peer().name());
          requireSecret(agreement, isHybrid);
        }
        case CertifiedExchange.Verdict.Failed failed ->
            require(!failed.outcome().reason().isEmpty(), "it failed without a reason");
      }
    }
  }

  private static void requireSound(byte @Nullable [] remote, String identity) {
    Advert advert = remote == null ? null : AdvertCodec.decode(remote);
    if (remote == null || advert == null) {
      throw new AssertionError("a path came of an unsound advert");
    }
    require(advert.identity().equals(identity), "the peer is not whom it says");
    require(isOfCertificate(PeerNames.host(identity)), "the certificate is of another host");
    EarlierPath earlier = AdvertCodec.earlier(remote);
    Advert again = AdvertCodec.decode(AdvertCodec.encode(advert, earlier));
    require(advert.equals(again), "the advert changed");
  }

  private static boolean isOfCertificate(String host) {
    try {
      return InetAddress.ofLiteral(host).getHostAddress().equals(HOST);
    } catch (IllegalArgumentException e) {
      return host.toLowerCase(Locale.ROOT).matches("[^.]+\\.db\\.example\\.org\\.?");
    }
  }

  private static void requireSecret(KeyAgreement agreement, boolean isHybrid) {
    PathSecret secret = agreement.secret(new byte[CertifiedExchange.EXPORTED_BYTES]);
    require(secret.isPostQuantum() == isHybrid, "the secret is not what was agreed");
    secret.close();
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
