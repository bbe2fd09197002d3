package io.millrace.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.DatagramHandshake;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeLimits;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeRefusal;
import io.millrace.memory.SegmentBuffer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The loop that sockets and simulated networks share, over a machine and a port of the test. */
class HandshakeLoopTest {
  private static final InetSocketAddress PEER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);

  private final Machine machine = new Machine();
  private final Port port = new Port();
  private final List<Throwable> faults = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private boolean isListenerThrowing;
  private final HandshakeLoop loop =
      new HandshakeLoop(
          machine,
          new Listener(),
          port,
          new SourceLimits(new HandshakeLimits(2, 3), new Random(1)));
  private final List<HandshakeOutcome> outcomes = new ArrayList<>();

  /** Echoes each datagram, and ends the exchanges of the test's choice. */
  private static final class Machine implements DatagramHandshake {
    private final Queue<Ended> ended = new ArrayDeque<>();
    private final List<Long> tokens = new ArrayList<>();
    private final Queue<String> refusals = new ArrayDeque<>();
    private int toSend;
    private long token;
    private long exchanges;
    private long deadlineNs = NO_DEADLINE;
    private long expiredNs = -1;
    private boolean isFirst;

    @Override
    public boolean isFirst(DirectBuffer buffer, int offset, int length) {
      return isFirst;
    }

    @Override
    public long connect(long toToken, byte[] localAdvert, long nowNs) {
      token = toToken;
      toSend++;
      return ++exchanges;
    }

    @Override
    public void onMessage(DirectBuffer buffer, int offset, int length, long from, long nowNs) {
      tokens.add(from);
      token = from;
      toSend++;
    }

    @Override
    public boolean pollMessage(MessageSink sink) {
      if (toSend == 0) {
        return false;
      }
      toSend--;
      sink.onMessage(new SegmentBuffer(new byte[1]), 0, 1, token);
      return true;
    }

    @Override
    public @Nullable Ended pollOutcome() {
      return ended.poll();
    }

    @Override
    public @Nullable String pollRefusal() {
      return refusals.poll();
    }

    @Override
    public long nextDeadlineNs() {
      return deadlineNs;
    }

    @Override
    public void onDeadline(long nowNs) {
      expiredNs = nowNs;
      deadlineNs = NO_DEADLINE;
    }

    void end(long exchange, HandshakeFailure cause) {
      ended.add(new Ended(exchange, new HandshakeOutcome.Failed("ended", cause)));
    }

    @Override
    public void onClose() {
      for (long exchange = 1; exchange <= exchanges; exchange++) {
        end(exchange, HandshakeFailure.CLOSED);
      }
    }

    @Override
    public int maxAdvertBytes() {
      return 10;
    }
  }

  private static final class Port implements DatagramPort {
    private final List<InetSocketAddress> sent = new ArrayList<>();
    private final List<Throwable> uncaught = new ArrayList<>();
    private int waiting;
    private int wakeUps;
    private long nowNs;
    private boolean isBroken;

    @Override
    public boolean receive(Reception reception) {
      if (isBroken) {
        isBroken = false;
        throw new IllegalStateException("planted by the test");
      }
      if (waiting > 0) {
        waiting--;
        reception.onDatagram(new SegmentBuffer(new byte[1]), 0, 1, PEER);
      }
      return waiting > 0;
    }

    @Override
    public void send(DirectBuffer buffer, int offset, int length, InetSocketAddress to) {
      sent.add(to);
    }

    @Override
    public long nowNs() {
      return nowNs;
    }

    @Override
    public void wakeUp() {
      wakeUps++;
    }

    @Override
    public void onUncaught(Throwable fault) {
      uncaught.add(fault);
    }
  }

  private final class Listener implements HandshakeListener {
    @Override
    public @Nullable HandshakeRefusal refusal() {
      return null;
    }

    @Override
    public byte[] advert() {
      return new byte[0];
    }

    @Override
    public long epoch() {
      return 0;
    }

    @Override
    public void onEstablished(HandshakeOutcome.Established path) {}

    @Override
    public void onRefused(InetSocketAddress remote, String reason) {
      refused.add(remote.getPort() + " " + reason);
      if (isListenerThrowing) {
        throw new IllegalStateException("planted by the test");
      }
    }

    @Override
    public void onFault(Throwable fault) {
      faults.add(fault);
      if (isListenerThrowing) {
        throw new IllegalStateException("the listener fails, too");
      }
    }
  }

  private void connect() {
    loop.connect(PEER, new byte[1], outcomes::add);
  }

  @Test
  void shouldBeginInATurnAndTellTheOutcomeOnce() {
    connect();
    assertEquals(1, port.wakeUps);
    assertEquals(List.of(), port.sent);
    assertFalse(loop.turn());
    assertEquals(List.of(PEER), port.sent);
    machine.end(1, HandshakeFailure.NO_ANSWER);
    machine.end(1, HandshakeFailure.NO_ANSWER);
    assertFalse(loop.turn());
    assertEquals(1, outcomes.size());
  }

  @Test
  void shouldDropFirstMessagesThatComeTooFastWithoutAnswer() {
    machine.isFirst = true;
    port.waiting = 4;
    assertFalse(loop.turn());
    assertEquals(2, port.sent.size());
    assertEquals(2, machine.tokens.size(), "what is dropped costs the machine nothing");
    assertEquals(1, refused.size(), refused::toString);
    assertFalse(loop.isFlooded());
    port.waiting = HandshakeLoop.BATCH;
    assertFalse(loop.turn());
    assertTrue(loop.isFlooded());
    machine.isFirst = false;
    port.waiting = 1;
    assertFalse(loop.turn());
    assertFalse(loop.isFlooded());
    assertEquals(3, port.sent.size(), "what goes on is not limited");
  }

  @Test
  void shouldLeaveTheRestOfManyDatagramsToTheNextTurn() {
    port.waiting = HandshakeLoop.BATCH + 1;
    assertTrue(loop.turn());
    assertEquals(HandshakeLoop.BATCH, port.sent.size(), "strangers are answered where they are");
    assertFalse(loop.turn());
    assertEquals(HandshakeLoop.BATCH + 1, port.sent.size());
  }

  @Test
  void shouldKnowAnAddressOnlyWhileItHasAnExchange() {
    connect();
    loop.turn();
    port.waiting = 1;
    loop.turn();
    machine.end(1, HandshakeFailure.NO_ANSWER);
    loop.turn();
    port.waiting = 1;
    loop.turn();
    assertEquals(List.of(1L, AddressTokens.NONE), machine.tokens);
  }

  @Test
  void shouldTellWhoWasRefused() {
    machine.refusals.add("no");
    port.waiting = 2;
    loop.turn();
    assertEquals(List.of("7 no"), refused);
    assertEquals(2, port.sent.size(), "each is answered");
  }

  @Test
  void shouldMeetADeadlineOnceItHasCome() {
    machine.deadlineNs = 5;
    assertEquals(5, loop.nextDeadlineNs());
    port.nowNs = 4;
    loop.turn();
    assertEquals(-1, machine.expiredNs);
    port.nowNs = 5;
    loop.turn();
    assertEquals(5, machine.expiredNs);
  }

  @Test
  void shouldGoOnAfterAPortOrACallbackThatThrows() {
    loop.connect(
        PEER,
        new byte[1],
        outcome -> {
          throw new IllegalStateException("planted by the test");
        });
    connect();
    port.isBroken = true;
    port.waiting = 1;
    loop.turn();
    machine.end(1, HandshakeFailure.NO_ANSWER);
    machine.end(2, HandshakeFailure.NO_ANSWER);
    isListenerThrowing = true;
    loop.turn();
    assertEquals(2, faults.size());
    assertEquals(1, port.uncaught.size());
    assertEquals(1, outcomes.size());
    assertEquals(1, machine.tokens.size());
  }

  @Test
  void shouldEndWhatWasSubmittedBeforeItWasClosed() {
    connect();
    loop.close();
    assertTrue(loop.isClosed());
    assertEquals(List.of(), outcomes);
    loop.end();
    assertEquals(1, outcomes.size());
    connect();
    assertEquals(2, outcomes.size(), "at once");
    loop.turn();
    assertEquals(2, outcomes.size());
  }
}
