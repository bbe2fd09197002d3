package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadAvailability;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.RecordCipher;
import io.millrace.memory.SegmentBuffer;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An exception in the handling of one peer affects only this peer. */
@Timeout(60)
class PeerFaultTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId NEVER = RouteId.of("never");

  @Test
  void shouldFailOnlyThePeerWhoseHandlingThrewAndServeItAgainAfterwards() throws Exception {
    FaultyAead faulty = new FaultyAead();
    try (TwoNodes nodes = new TwoNodes("", b -> b, b -> b.aead(faulty));
        Transport other = Transport.start(TwoNodes.settings(""))) {
      CountDownLatch arrived = new CountDownLatch(1);
      serve(nodes.server, arrived);
      serve(other, new CountDownLatch(1));
      Peer healthy = nodes.client.peer(other.address());
      Peer doomed = nodes.client.peer(nodes.server.address());
      get(Raw.unary(healthy, ECHO, new byte[8]));
      CompletableFuture<UnaryResponse> healthyPending = Raw.unary(healthy, NEVER, new byte[8]);
      faulty.markNextOpener();
      get(Raw.unary(doomed, ECHO, new byte[8]));
      CompletableFuture<UnaryResponse> doomedPending = Raw.unary(doomed, NEVER, new byte[8]);
      assertTrue(arrived.await(20, TimeUnit.SECONDS));
      faulty.throwFromMarked();
      CompletableFuture<UnaryResponse> hit = Raw.unary(doomed, ECHO, new byte[8]);

      assertEquals(CallOutcome.PEER_FAULT, outcome(doomedPending));
      // The call fails if already on its way; otherwise the call waits and the next path carries
      // the call.
      hit.handle((response, failure) -> response).get(20, TimeUnit.SECONDS);
      assertEquals(1, nodes.clientEvents().count("PeerFault"));
      for (int i = 0; i < 100; i++) {
        get(Raw.unary(healthy, ECHO, new byte[8]));
      }
      assertTrue(!healthyPending.isDone());
      get(Raw.unary(doomed, ECHO, new byte[8]));
      assertEquals(0, nodes.clientEvents().count("WorkerFault"));
      assertEquals(3, nodes.clientEvents().count("HandshakeCompleted"));
    }
  }

  @Test
  void shouldTellTheCallerWhatItsHandlerThrew() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveOnWorker(
          nodes.server,
          ECHO,
          call -> {
            throw new IllegalStateException("the mill is dry");
          });
      Raw.serve(
          nodes.server,
          NEVER,
          call -> CompletableFuture.failedFuture(new IllegalStateException("no water")));
      assertEquals(CallOutcome.HANDLER_FAILED, outcome(Raw.unary(nodes.peer(), ECHO, new byte[1])));
      ExecutionException failure =
          assertThrows(
              ExecutionException.class,
              () -> Raw.unary(nodes.peer(), NEVER, new byte[1]).get(20, TimeUnit.SECONDS));
      assertEquals(
          "no water",
          assertInstanceOf(CallException.class, failure.getCause()).peerCause().orElseThrow());
      assertEquals(
          CallOutcome.UNKNOWN_ROUTE,
          outcome(Raw.unary(nodes.peer(), RouteId.of("x"), new byte[1])));
    }
  }

  private static void serve(Transport transport, CountDownLatch arrived) {
    Raw.serveOnWorker(
        transport,
        ECHO,
        call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
    Raw.serve(
        transport,
        NEVER,
        call -> {
          arrived.countDown();
          return new CompletableFuture<>();
        });
  }

  private static UnaryResponse get(CompletableFuture<UnaryResponse> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  private static CallOutcome outcome(CompletableFuture<UnaryResponse> future) {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> future.get(20, TimeUnit.SECONDS));
    return assertInstanceOf(CallException.class, failure.getCause()).outcome();
  }

  /** Real ciphers; a cipher can be set to throw when it opens the next packet. */
  private static final class FaultyAead implements AeadProvider {
    private final AeadProvider real = AeadProviders.discover().select(0);
    private volatile boolean markNext;
    private volatile boolean throwing;

    void markNextOpener() {
      markNext = true;
    }

    void throwFromMarked() {
      throwing = true;
    }

    @Override
    public String name() {
      return real.name();
    }

    @Override
    public int packetPreference() {
      return real.packetPreference();
    }

    @Override
    public int recordPreference() {
      return real.recordPreference();
    }

    @Override
    public AeadAvailability probe() {
      return real.probe();
    }

    @Override
    public PacketCipher cipher(AeadKey key, CipherUse use, KeyLimits limits) {
      boolean faulty = use == CipherUse.OPEN && markNext;
      if (faulty) {
        markNext = false;
      }
      PacketCipher cipher = real.cipher(key, use, limits);
      return faulty ? new Faulty(key, use, limits, cipher) : cipher;
    }

    @Override
    public RecordCipher recordCipher(byte[] key, CipherUse use) {
      return real.recordCipher(key, use);
    }

    private final class Faulty extends PacketCipher {
      private final PacketCipher delegate;

      Faulty(AeadKey key, CipherUse use, KeyLimits limits, PacketCipher delegate) {
        super(key, use, limits);
        this.delegate = delegate;
      }

      @Override
      protected void sealInPlace(
          SegmentBuffer buffer,
          int packetOffset,
          int headerLength,
          int bodyLength,
          long nonceTail) {
        throw new IllegalStateException("this one opens");
      }

      @Override
      protected boolean openInPlace(
          SegmentBuffer buffer,
          int packetOffset,
          int headerLength,
          int bodyLength,
          long nonceTail) {
        if (throwing) {
          throwing = false;
          throw new IllegalStateException("planted fault");
        }
        long packetNumber = PacketHeader.packetNumber(buffer, packetOffset);
        return delegate.open(buffer, packetOffset, headerLength, bodyLength, packetNumber);
      }

      @Override
      protected void release() {
        delegate.close();
      }
    }
  }
}
