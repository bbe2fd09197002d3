package io.millrace.handshake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.HandshakeAvailability;
import io.millrace.crypto.HandshakeCredentials;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeLimits;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeRefusal;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.handshake.psk.PreSharedKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The handshake over real sockets on loopback, found through the application's discovery. */
class DatagramHandshakerTest {
  private static final HandshakeCredentials KEY = PreSharedKey.ofHex("1f".repeat(32));
  private static final long TIMEOUT_NS = 2_000_000_000L;

  private final List<Handshaker> opened = new ArrayList<>();

  private static final class Node implements HandshakeListener {
    private final BlockingQueue<HandshakeOutcome.Established> paths = new LinkedBlockingQueue<>();
    private final BlockingQueue<Throwable> faults = new LinkedBlockingQueue<>();
    private final byte[] advert;

    private Node(String name) {
      advert = advertOf(name);
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

  private static byte[] advertOf(String name) {
    return AdvertCodec.encode(
        new Advert(
            0, 0, 0, 0, 1_400, AesKeySize.AES_128, 512, CreditTerms.ENDLESS, List.of(), name));
  }

  private static HandshakeProvider psk() {
    return ServiceLoader.load(HandshakeProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.name().equals("psk"))
        .findFirst()
        .orElseThrow();
  }

  private Handshaker open(int port, HandshakeCredentials credentials, Node node)
      throws HandshakeException {
    InetSocketAddress listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    Handshaker handshaker =
        psk()
            .open(
                new HandshakeSettings(
                    listen, credentials, opened.size(), TIMEOUT_NS, HandshakeLimits.DEFAULT),
                node);
    opened.add(handshaker);
    return handshaker;
  }

  private static HandshakeOutcome connect(Handshaker from, InetSocketAddress to) throws Exception {
    CompletableFuture<HandshakeOutcome> outcome = new CompletableFuture<>();
    from.connect(to, advertOf("client"), outcome::complete);
    return outcome.get(60, TimeUnit.SECONDS);
  }

  private static HandshakeOutcome.Failed failure(HandshakeOutcome outcome) {
    return assertInstanceOf(HandshakeOutcome.Failed.class, outcome);
  }

  @AfterEach
  void close() {
    opened.forEach(Handshaker::close);
  }

  @Test
  void shouldEstablishPathsBetweenSockets() throws Exception {
    assertEquals(new HandshakeAvailability.Available(), psk().probe());
    Node server = new Node("server");
    Handshaker listening = open(0, KEY, server);
    Handshaker connecting = open(0, KEY, new Node("client"));
    for (int i = 0; i < 20; i++) {
      HandshakeOutcome.Established ours =
          assertInstanceOf(
              HandshakeOutcome.Established.class, connect(connecting, listening.localAddress()));
      HandshakeOutcome.Established theirs = server.paths.poll(60, TimeUnit.SECONDS);
      assertEquals(ours.secret().pathId(), theirs.secret().pathId());
      assertArrayEquals(
          ours.secret().derive("probe", new byte[0], 32),
          theirs.secret().derive("probe", new byte[0], 32));
      assertEquals("server", ours.remoteIdentity());
      assertEquals("client", theirs.remoteIdentity());
      assertTrue(ours.rttNs() > 0 && theirs.rttNs() > 0);
    }
    assertTrue(server.paths.isEmpty());
  }

  @Test
  void shouldFailClearlyUnderAnotherKey() throws Exception {
    Handshaker listening = open(0, PreSharedKey.ofHex("2e".repeat(32)), new Node("server"));
    Handshaker connecting = open(0, KEY, new Node("client"));
    HandshakeOutcome.Failed failed = failure(connect(connecting, listening.localAddress()));
    assertEquals(HandshakeFailure.WRONG_CREDENTIALS, failed.cause());
  }

  @Test
  void shouldFailClearlyWhenNobodyListens() throws Exception {
    Handshaker gone = open(0, KEY, new Node("server"));
    gone.close();
    Handshaker connecting = open(0, KEY, new Node("client"));
    HandshakeOutcome.Failed failed = failure(connect(connecting, gone.localAddress()));
    assertEquals(HandshakeFailure.NO_ANSWER, failed.cause());
    assertTrue(failed.reason().startsWith("nobody listens there"), failed::reason);
  }

  @Test
  void shouldSayThatAHostIsUnknown() throws Exception {
    Handshaker connecting = open(0, KEY, new Node("client"));
    InetSocketAddress nowhere = InetSocketAddress.createUnresolved("no-such-host.invalid", 7400);
    assertEquals(
        "the host no-such-host.invalid is unknown", failure(connect(connecting, nowhere)).reason());
  }

  @Test
  void shouldSayThatAnAddressIsInUse() throws Exception {
    Handshaker first = open(0, KEY, new Node("first"));
    int port = first.localAddress().getPort();
    HandshakeException refused =
        assertThrows(HandshakeException.class, () -> open(port, KEY, new Node("second")));
    assertTrue(
        String.valueOf(refused.getMessage()).endsWith("is in use or not of this host"),
        refused::toString);
    first.close();
    open(port, KEY, new Node("third"));
  }

  @Test
  void shouldRefuseCredentialsOfAnotherKind() {
    HandshakeException refused =
        assertThrows(
            HandshakeException.class,
            () -> open(0, new HandshakeCredentials() {}, new Node("server")));
    assertEquals("the handshake psk needs a pre-shared key", refused.getMessage());
  }

  @Test
  void shouldSurviveCallbacksThatThrow() throws Exception {
    Node server = new Node("server");
    Handshaker listening = open(0, KEY, server);
    Handshaker connecting = open(0, KEY, new Node("client"));
    connecting.connect(
        listening.localAddress(),
        advertOf("client"),
        outcome -> {
          throw new IllegalStateException("planted by the test");
        });
    assertInstanceOf(
        HandshakeOutcome.Established.class, connect(connecting, listening.localAddress()));
  }

  @Test
  void shouldTellErrorsAndGoOn() throws Exception {
    Node client = new Node("client");
    Handshaker listening = open(0, KEY, new Node("server"));
    Handshaker connecting = open(0, KEY, client);
    connecting.connect(
        listening.localAddress(),
        advertOf("client"),
        outcome -> {
          throw new NoClassDefFoundError("planted by the test");
        });
    assertInstanceOf(NoClassDefFoundError.class, client.faults.poll(60, TimeUnit.SECONDS));
    assertInstanceOf(
        HandshakeOutcome.Established.class, connect(connecting, listening.localAddress()));
  }

  @Test
  void shouldRefuseAdvertsThatDoNotFit() throws Exception {
    Handshaker connecting = open(0, KEY, new Node("client"));
    byte[] large = new byte[connecting.maxAdvertBytes() + 1];
    assertThrows(
        IllegalArgumentException.class,
        () -> connecting.connect(connecting.localAddress(), large, outcome -> {}));
  }

  @Test
  void shouldForgetAddressesWhoseHandshakesEnded() {
    AddressTokens tokens = new AddressTokens();
    InetSocketAddress one = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    InetSocketAddress two = new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);
    long first = tokens.acquire(one);
    assertEquals(first, tokens.acquire(one));
    long second = tokens.acquire(two);
    assertEquals(two, tokens.address(second));
    assertEquals(first, tokens.find(one));
    tokens.release(first);
    assertEquals(one, tokens.address(first));
    tokens.release(first);
    assertEquals(AddressTokens.NONE, tokens.find(one));
    tokens.release(first);
    tokens.release(second);
    assertEquals(0, tokens.size());
  }
}
