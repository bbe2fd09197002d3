package io.millrace.testkit.internal.net;

import static io.millrace.testkit.internal.net.TestNetwork.MS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.DatagramHandshake;
import io.millrace.crypto.HandshakeCredentials;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeLimits;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeRefusal;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.handshake.Advert;
import io.millrace.handshake.AdvertCodec;
import io.millrace.handshake.CreditTerms;
import io.millrace.handshake.SourceLimits;
import io.millrace.handshake.psk.PreSharedKey;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The handshake of production over the simulated network: no thread, no socket, virtual time. */
class SimHandshakesTest {
  private static final HandshakeCredentials KEY = PreSharedKey.ofHex("1f".repeat(32));
  private static final long TIMEOUT_NS = 2_000 * MS;
  private static final int PORT = 4_433;

  private final TestNetwork net = TestNetwork.clean();

  @AfterEach
  void close() {
    net.close();
  }

  private final class Peer implements HandshakeListener {
    private final List<HandshakeOutcome.Established> paths = new ArrayList<>();
    private final List<HandshakeOutcome> outcomes = new ArrayList<>();
    private final List<Throwable> faults = new ArrayList<>();
    private final Handshaker handshaker;
    private final byte[] advert;
    private boolean throwing;

    private Peer(int node, HandshakeCredentials credentials) throws HandshakeException {
      advert =
          AdvertCodec.encode(
              new Advert(
                  0,
                  node,
                  0,
                  0,
                  1_400,
                  AesKeySize.AES_128,
                  0,
                  CreditTerms.ENDLESS,
                  List.of(),
                  "node-" + node));
      SimHandshakes provider =
          new SimHandshakes(net.network, node, net.time, new Random(17 + node));
      InetSocketAddress listen = new SimAddress(node, 0, PORT).inet();
      handshaker =
          provider.open(
              new HandshakeSettings(listen, credentials, node, TIMEOUT_NS, HandshakeLimits.DEFAULT),
              this);
    }

    private void connect(Peer other) {
      handshaker.connect(other.handshaker.localAddress(), advert, this::onOutcome);
    }

    private void onOutcome(HandshakeOutcome outcome) {
      outcomes.add(outcome);
      if (throwing) {
        throw new IllegalStateException("thrown by a callback");
      }
    }

    private HandshakeFailure failure() {
      return assertInstanceOf(HandshakeOutcome.Failed.class, outcomes.getFirst()).cause();
    }

    @Override
    public @Nullable HandshakeRefusal refusal() {
      return null;
    }

    @Override
    public byte[] advert() {
      return advert;
    }

    @Override
    public long epoch() {
      return 0;
    }

    @Override
    public void onEstablished(HandshakeOutcome.Established path) {
      paths.add(path);
    }

    @Override
    public void onFault(Throwable fault) {
      faults.add(fault);
    }
  }

  @Test
  void shouldEstablishAPathInTwoRoundTrips() throws HandshakeException {
    Peer client = new Peer(1, KEY);
    Peer server = new Peer(2, KEY);
    client.connect(server);
    assertEquals(List.of(), client.outcomes, "never inside of connect");
    net.time.runUntil(4 * TestNetwork.DELAY_NS - 1);
    assertEquals(List.of(), client.outcomes);
    net.time.runUntil(4 * TestNetwork.DELAY_NS);
    HandshakeOutcome.Established own =
        assertInstanceOf(HandshakeOutcome.Established.class, client.outcomes.getFirst());
    HandshakeOutcome.Established theirs = server.paths.getFirst();
    assertArrayEquals(server.advert, own.remoteAdvert());
    assertArrayEquals(client.advert, theirs.remoteAdvert());
    assertEquals("node-2", own.remoteIdentity());
    assertEquals(2 * TestNetwork.DELAY_NS, own.rttNs());
    assertEquals(own.secret().pathId(), theirs.secret().pathId(), "the same secret");
    assertEquals(List.of(), client.faults);
    assertEquals(List.of(), server.faults);
  }

  @Test
  void shouldEstablishPathsThroughLossDamageAndDuplicates() throws HandshakeException {
    net.network.links(
        LinkSettings.clean(TestNetwork.DELAY_NS)
            .withLoss(LossSettings.random(300_000))
            .withDamage(new DamageSettings(200_000, 200_000, MS, 100_000, 50_000)));
    Peer client = new Peer(1, KEY);
    Peer server = new Peer(2, KEY);
    for (int i = 0; i < 20; i++) {
      client.connect(server);
      server.connect(client);
    }
    net.time.runAll();
    assertEquals(20, client.outcomes.size());
    assertEquals(20, server.outcomes.size());
    long established =
        client.outcomes.stream().filter(HandshakeOutcome.Established.class::isInstance).count();
    assertTrue(established >= 15, "established " + established);
    assertTrue(net.network.counters().lost() > 0);
  }

  @Test
  void shouldFailWhenNobodyAnswers() throws HandshakeException {
    Peer client = new Peer(1, KEY);
    Peer server = new Peer(2, KEY);
    net.network.cut(2, 1);
    client.connect(server);
    client.handshaker.connect(
        new InetSocketAddress("192.0.2.1", 1), client.advert, client.outcomes::add);
    client.handshaker.connect(
        InetSocketAddress.createUnresolved("nowhere.invalid", 1),
        client.advert,
        client.outcomes::add);
    net.time.runUntil(TIMEOUT_NS - 1);
    assertEquals(1, client.outcomes.size(), "only the unknown host is known to be bad");
    net.time.runUntil(TIMEOUT_NS);
    assertEquals(3, client.outcomes.size());
    assertEquals(HandshakeFailure.NO_ANSWER, client.failure());
  }

  @Test
  void shouldTellWrongKeys() throws HandshakeException {
    Peer client = new Peer(1, KEY);
    Peer server = new Peer(2, PreSharedKey.ofHex("2e".repeat(32)));
    client.connect(server);
    net.time.runUntil(TIMEOUT_NS);
    assertEquals(HandshakeFailure.WRONG_CREDENTIALS, client.failure());
    assertEquals(List.of(), server.paths);
  }

  @Test
  void shouldEndWhatIsUnderWayWhenClosed() throws HandshakeException {
    Peer client = new Peer(1, KEY);
    Peer server = new Peer(2, KEY);
    client.connect(server);
    net.time.runUntil(TestNetwork.DELAY_NS);
    client.connect(server);
    client.handshaker.close();
    assertEquals(2, client.outcomes.size());
    assertEquals(HandshakeFailure.CLOSED, client.failure());
    client.connect(server);
    assertEquals(3, client.outcomes.size(), "at once, for it is closed already");
    client.handshaker.close();
    net.time.runAll();
    assertEquals(3, client.outcomes.size());
    assertEquals(1, new Peer(1, KEY).handshaker.localAddress().getPort() / PORT, "free again");
  }

  @Test
  void shouldFallSilentWhenItsNodeCrashes() throws HandshakeException {
    Peer client = new Peer(1, KEY);
    Peer server = new Peer(2, KEY);
    client.connect(server);
    net.time.runUntil(TestNetwork.DELAY_NS / 2);
    net.network.crash(1);
    net.time.runAll();
    assertEquals(List.of(), client.outcomes);
    assertEquals(List.of(), server.paths);
    client.handshaker.close();
    assertEquals(List.of(), client.outcomes);
  }

  @Test
  void shouldSurviveCallbacksThatThrow() throws HandshakeException {
    Peer client = new Peer(1, KEY);
    Peer server = new Peer(2, KEY);
    client.throwing = true;
    client.connect(server);
    client.connect(server);
    net.time.runUntil(TIMEOUT_NS);
    assertEquals(2, client.outcomes.size());
    assertEquals(2, client.faults.size());
  }

  /** A machine with nothing but deadlines: another deadline 100 ms after each deadline. */
  private static final class Deadlines implements DatagramHandshake {
    private long deadlineNs = NO_DEADLINE;

    @Override
    public long connect(long toToken, byte[] localAdvert, long nowNs) {
      return 1;
    }

    @Override
    public void onMessage(
        DirectBuffer buffer, int offset, int length, long fromToken, long nowNs) {}

    @Override
    public boolean pollMessage(MessageSink sink) {
      return false;
    }

    @Override
    public @Nullable Ended pollOutcome() {
      return null;
    }

    @Override
    public long nextDeadlineNs() {
      return deadlineNs;
    }

    @Override
    public void onDeadline(long nowNs) {
      deadlineNs = nowNs + 100 * MS;
    }

    @Override
    public void onClose() {}

    @Override
    public int maxAdvertBytes() {
      return 100;
    }
  }

  @Test
  void shouldHaveOneTimerThoughAnEarlierDeadlineCameBeforeItsOwn() throws HandshakeException {
    Deadlines machine = new Deadlines();
    SourceLimits limits = new SourceLimits(HandshakeLimits.DEFAULT, new SplittableRandom(1));
    InetSocketAddress listen = new SimAddress(1, 0, PORT).inet();
    try (SimHandshaker handshaker =
        SimHandshaker.open(net.network, 1, net.time, listen, machine, new Peer(2, KEY), limits)) {
      for (long deadlineNs : new long[] {100 * MS, 50 * MS}) {
        machine.deadlineNs = deadlineNs;
        handshaker.connect(new SimAddress(2, 0, PORT).inet(), new byte[0], outcome -> {});
        net.time.runUntil(0);
      }
      net.time.runUntil(100 * MS);
      assertEquals(150 * MS, machine.deadlineNs);
      assertEquals(1, net.time.waiting());
    }
  }

  @Test
  void shouldRefuseAddressesAndCredentialsInWords() throws HandshakeException {
    Peer taken = new Peer(1, KEY);
    assertEquals(PORT, taken.handshaker.localAddress().getPort());
    String message = assertThrows(HandshakeException.class, () -> new Peer(1, KEY)).getMessage();
    assertTrue(String.valueOf(message).contains("10.0.0.1:" + PORT), message);
    HandshakeCredentials other = new HandshakeCredentials() {};
    assertThrows(HandshakeException.class, () -> new Peer(2, other));
    byte[] tooLong = new byte[taken.handshaker.maxAdvertBytes() + 1];
    assertThrows(
        IllegalArgumentException.class,
        () ->
            taken.handshaker.connect(
                taken.handshaker.localAddress(), tooLong, taken.outcomes::add));
  }
}
