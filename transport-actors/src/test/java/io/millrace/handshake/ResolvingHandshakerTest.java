package io.millrace.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.Handshaker;
import io.millrace.crypto.PathSecret;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names with several addresses, with a peer that listens at a single address. */
@Timeout(30)
final class ResolvingHandshakerTest {
  private static final InetAddress FIRST = named("::1");
  private static final InetAddress SECOND = named("127.0.0.1");
  private static final HandshakeOutcome ESTABLISHED =
      new HandshakeOutcome.Established(
          new PathSecret(new byte[32]),
          true,
          new byte[0],
          new byte[0],
          new HandshakeOutcome.Peer("127.0.0.1:1", HandshakeOutcome.ProvedIdentity.NONE),
          1,
          1);

  private final List<InetAddress> called = new ArrayList<>();
  private InetAddress[] addresses = {FIRST, SECOND};
  private InetAddress listening = SECOND;

  /** Answers at a single address; a fake in place of a network. */
  private final class OneAddress implements Handshaker {
    @Override
    public InetSocketAddress localAddress() {
      return new InetSocketAddress(0);
    }

    @Override
    public void connect(
        InetSocketAddress remote, byte[] localAdvert, Consumer<HandshakeOutcome> onOutcome) {
      called.add(remote.getAddress());
      onOutcome.accept(
          remote.getAddress().equals(listening)
              ? ESTABLISHED
              : new HandshakeOutcome.Failed("nobody listens there", HandshakeFailure.NO_ANSWER));
    }

    @Override
    public int maxAdvertBytes() {
      return 100;
    }

    @Override
    public void close() {}
  }

  private final ResolvingHandshaker handshaker =
      new ResolvingHandshaker(new OneAddress(), this::resolve);

  private InetAddress[] resolve(String host) throws UnknownHostException {
    if (addresses.length == 0) {
      throw new UnknownHostException(host);
    }
    return addresses;
  }

  private static InetAddress named(String literal) {
    try {
      return InetAddress.getByAddress("db", InetAddress.ofLiteral(literal).getAddress());
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private HandshakeOutcome call(InetAddress first) throws Exception {
    called.clear();
    CompletableFuture<HandshakeOutcome> outcome = new CompletableFuture<>();
    handshaker.connect(new InetSocketAddress(first, 7_400), new byte[1], outcome::complete);
    return outcome.get(20, TimeUnit.SECONDS);
  }

  @Test
  void shouldCallTheNextAddressWhenOneDoesNotAnswer() throws Exception {
    assertSame(ESTABLISHED, call(FIRST));
    assertEquals(List.of(FIRST, SECOND), called);
  }

  @Test
  void shouldBeginWithTheAddressThatAnsweredLast() throws Exception {
    call(FIRST);
    assertSame(ESTABLISHED, call(FIRST));
    assertEquals(List.of(SECOND), called);
  }

  @Test
  void shouldCallTheAddressThatANameHasNow() throws Exception {
    call(FIRST);
    InetAddress moved = named("127.0.0.9");
    addresses = new InetAddress[] {moved};
    listening = moved;
    assertSame(ESTABLISHED, call(FIRST));
    assertEquals(List.of(moved), called);
  }

  @Test
  void shouldSayWhatCameOfEachAddress() throws Exception {
    addresses = new InetAddress[] {FIRST, named("127.0.0.9")};
    HandshakeOutcome.Failed failed = assertInstanceOf(HandshakeOutcome.Failed.class, call(FIRST));
    assertEquals(
        "db was called at 0:0:0:0:0:0:0:1: nobody listens there;"
            + " at 127.0.0.9: nobody listens there",
        failed.reason());
  }

  @Test
  void shouldCallTheAddressThatItKnowsWhileTheNameServiceKnowsNone() throws Exception {
    addresses = new InetAddress[0];
    assertSame(ESTABLISHED, call(SECOND));
  }

  @Test
  void shouldAskNobodyForANumber() throws Exception {
    addresses = new InetAddress[0];
    assertSame(ESTABLISHED, call(InetAddress.ofLiteral("127.0.0.1")));
    assertEquals(List.of(SECOND), called);
  }
}
