package io.millrace.api.actor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import io.millrace.actor.body.BodySource;
import io.millrace.actor.body.BodyTarget;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.UnaryRequest;
import io.millrace.api.UnaryResponse;
import io.millrace.config.TransportSettings;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The protocol as an application's tests see it, with Pekko's own kit. */
@Timeout(120)
class TransportActorTest {
  private static final Route ROUTE = Route.of("route");
  private static final String PSK =
      "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
  private static final String NO_ADDRESS = "nowhere";

  private final ActorTestKit kit = ActorTestKit.create(ConfigFactory.load());
  private final Transport node = start();
  private final Transport peer = start();
  private final ActorRef<TransportCommand> transport = kit.spawn(TransportActor.create(node));
  private final ActorRef<TransportCommand> serving = kit.spawn(TransportActor.create(peer));
  private final TestProbe<CallReply> replies = probe(CallReply.class);
  private final TestProbe<ServeReply> served = probe(ServeReply.class);
  private final TestProbe<StreamEvent> events = probe(StreamEvent.class);

  private Transport start() {
    TransportSettings settings =
        TransportSettings.parse(
            "millrace.handshake.psk = \"" + PSK + "\"\nmillrace.nic.driver = udp-nio");
    return Transport.builder(settings).system(kit.system()).start();
  }

  private <T> TestProbe<T> probe(Class<T> type) {
    return kit.createTestProbe(type);
  }

  private static <M> M next(TestProbe<? super M> probe, Class<M> type) {
    return assertInstanceOf(type, probe.receiveMessage(Duration.ofSeconds(20)));
  }

  @AfterEach
  void close() {
    node.close();
    peer.close();
    kit.shutdownTestKit();
  }

  private TransferOptions tooLong() {
    return TransferOptions.DEFAULTS.withHeaders(new byte[100_000]);
  }

  @Test
  void shouldAnswerWhatCannotBeAskedWithFailuresAndGoOn() {
    UnaryRequest request = UnaryRequest.of(ROUTE, new byte[1]);
    transport.tell(new TransportCommand.Call(NO_ADDRESS, request, 1, replies.ref()));
    CallReply.Failed badAddress = next(replies, CallReply.Failed.class);
    transport.tell(
        new TransportCommand.Call(
            peer.address(), new UnaryRequest(ROUTE, new byte[1], tooLong()), 2, replies.ref()));
    CallReply.Failed longHeaders = next(replies, CallReply.Failed.class);
    transport.tell(new TransportCommand.Call(peer.address(), request, 3, replies.ref()));
    CallReply.Failed unknown = next(replies, CallReply.Failed.class);

    assertEquals(1, badAddress.correlation());
    assertTrue(badAddress.text().contains(NO_ADDRESS), badAddress.text());
    assertEquals(2, longHeaders.correlation());
    assertTrue(longHeaders.text().contains("millrace.limits.headers"), longHeaders.text());
    assertEquals(3, unknown.correlation());
    assertEquals(CallOutcome.UNKNOWN_ROUTE, unknown.outcome());
  }

  @Test
  void shouldTellWhatADrainLeaves() {
    TestProbe<IncomingCall> server = probe(IncomingCall.class);
    TestProbe<DrainReply> drained = probe(DrainReply.class);
    serving.tell(new TransportCommand.ServeUnary(ROUTE, server.ref(), served.ref()));
    next(served, ServeReply.Served.class);
    UnaryRequest request = UnaryRequest.of(ROUTE, new byte[1]);
    transport.tell(new TransportCommand.Call(peer.address(), request, 1, replies.ref()));
    IncomingCall undecided = next(server, IncomingCall.class);

    serving.tell(new TransportCommand.Drain(Duration.ofMillis(20), drained.ref()));
    assertEquals(1, next(drained, DrainReply.Drained.class).left().served());
    serving.tell(new TransportCommand.Drain(Duration.ofSeconds(60), drained.ref()));
    undecided.answer(UnaryResponse.of(new byte[2]));
    assertTrue(next(drained, DrainReply.Drained.class).left().isComplete());
    assertEquals(2, next(replies, CallReply.Answered.class).response().payload().length);
    transport.tell(new TransportCommand.Call(peer.address(), request, 2, replies.ref()));
    assertEquals(CallOutcome.SHUTTING_DOWN, next(replies, CallReply.Failed.class).outcome());
    assertThrows(
        IllegalArgumentException.class,
        () -> new TransportCommand.Drain(Duration.ofNanos(-1), drained.ref()));
  }

  @Test
  void shouldAnswerADrainOfATransportThatIsClosed() {
    TestProbe<DrainReply> drained = probe(DrainReply.class);
    node.close();

    transport.tell(new TransportCommand.Drain(Duration.ofSeconds(1), drained.ref()));

    assertEquals(
        "the transport was closed before anything was counted",
        next(drained, DrainReply.Failed.class).text());
    drained.expectNoMessage(Duration.ZERO);
  }

  @Test
  void shouldLookAPeerUpOnce() {
    List<String> asked = new ArrayList<>();
    NamedPeers peers =
        new NamedPeers(
            address -> {
              asked.add(address);
              return node.peer(peer.address());
            });
    assertSame(peers.peer("a"), peers.peer("a"));
    for (int i = 0; i < NamedPeers.MOST - 1; i++) {
      peers.peer("p" + i);
    }
    peers.peer("a");
    assertEquals(NamedPeers.MOST, asked.size());
    peers.peer("one more");
    peers.peer("a");
    assertEquals(NamedPeers.MOST + 1, asked.size(), "the one that was asked for last is forgotten");
    peers.peer("p0");
    assertEquals(NamedPeers.MOST + 2, asked.size(), "more are kept than may be");
  }

  @Test
  void shouldOpenAndFailAStreamThatCannotBeOpened() {
    transport.tell(
        new TransportCommand.OpenBidirectional(
            NO_ADDRESS, ROUTE, TransferOptions.DEFAULTS, events.ref()));
    StreamEvent.Opened opened = next(events, StreamEvent.Opened.class);
    StreamEvent.Failed failed = next(events, StreamEvent.Failed.class);
    transport.tell(
        new TransportCommand.OpenStreamingRequest(peer.address(), ROUTE, tooLong(), events.ref()));
    next(events, StreamEvent.Opened.class);
    StreamEvent.Failed longHeaders = next(events, StreamEvent.Failed.class);

    assertEquals(opened.stream(), failed.stream());
    assertEquals(StreamEvent.Direction.BOTH, failed.direction());
    assertTrue(failed.text().contains(NO_ADDRESS), failed.text());
    assertTrue(longHeaders.text().contains("millrace.limits.headers"), longHeaders.text());
    events.expectTerminated(failed.stream(), Duration.ofSeconds(20));
  }

  @Test
  void shouldCloseTheSourceAndAbortTheTargetOfTransfersThatCannotBegin() throws Exception {
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    CompletableFuture<Throwable> aborted = new CompletableFuture<>();
    transport.tell(
        new TransportCommand.WriteBulk(
            NO_ADDRESS, ROUTE, source(closed), TransferOptions.DEFAULTS, 1, replies.ref()));
    CallReply.Failed write = next(replies, CallReply.Failed.class);
    transport.tell(
        new TransportCommand.ReadBulk(
            peer.address(), ROUTE, target(aborted), tooLong(), 2, replies.ref()));
    CallReply.Failed read = next(replies, CallReply.Failed.class);

    assertEquals(1, write.correlation());
    assertEquals(2, read.correlation());
    assertTrue(closed.get(20, TimeUnit.SECONDS));
    assertTrue(String.valueOf(aborted.get(20, TimeUnit.SECONDS)).contains("headers"));
  }

  private static BodySource source(CompletableFuture<Boolean> closed) {
    return new BodySource() {
      @Override
      public long lengthBytes() {
        return 0;
      }

      @Override
      public int read(byte[] into, int offset, int length) {
        return -1;
      }

      @Override
      public void close() {
        closed.complete(true);
      }
    };
  }

  private static BodyTarget target(CompletableFuture<Throwable> aborted) {
    return new BodyTarget() {
      @Override
      public void write(byte[] bytes, int offset, int length) {}

      @Override
      public void complete() {}

      @Override
      public void abort(Throwable cause) {
        aborted.complete(cause);
      }
    };
  }

  @Test
  void shouldRefuseARouteThatIsServedAndKeepItsServer() {
    TestProbe<IncomingCall> first = probe(IncomingCall.class);
    TestProbe<IncomingCall> second = probe(IncomingCall.class);
    serving.tell(new TransportCommand.ServeUnary(ROUTE, first.ref(), served.ref()));
    assertEquals(ROUTE, next(served, ServeReply.Served.class).route());
    serving.tell(new TransportCommand.ServeUnary(ROUTE, second.ref(), served.ref()));
    ServeReply.Refused refused = next(served, ServeReply.Refused.class);
    byte[] question = "question".getBytes(UTF_8);
    transport.tell(
        new TransportCommand.Call(
            peer.address(), UnaryRequest.of(ROUTE, question), 7, replies.ref()));
    IncomingCall call = next(first, IncomingCall.class);
    call.answer(UnaryResponse.of(call.call().payload()));

    CallReply.Answered answered = next(replies, CallReply.Answered.class);
    assertEquals("route 'route' is served already", refused.text());
    assertEquals(7, answered.correlation());
    assertArrayEquals(question, answered.response().payload());
    second.expectNoMessage(Duration.ZERO);
  }

  @Test
  void shouldLetAnotherTakeOverTheRoutesOfAServerThatStopped() {
    TestProbe<Object> first = probe(Object.class);
    TestProbe<Object> writer = probe(Object.class);
    TestProbe<Object> second = probe(Object.class);
    serveAll(first.ref());
    TransportCommand writes =
        new TransportCommand.ServeBulkWrites(ROUTE, writer.ref().narrow(), served.ref());
    serving.tell(writes);
    next(served, ServeReply.Served.class);

    first.stop();
    UnaryRequest request = UnaryRequest.of(ROUTE, new byte[1]);
    transport.tell(new TransportCommand.Call(peer.address(), request, 1, replies.ref()));
    String told = next(replies, CallReply.Failed.class).text();
    assertTrue(told.contains("the actor that serves 'route' has stopped"), told);
    serveAll(second.ref());
    serving.tell(writes);
    next(served, ServeReply.Refused.class);
    transport.tell(new TransportCommand.Call(peer.address(), request, 2, replies.ref()));
    next(second, IncomingCall.class).answer(UnaryResponse.of(new byte[2]));

    assertEquals(2, next(replies, CallReply.Answered.class).correlation());
  }

  /** In every way that there is, besides bulk writes. */
  private void serveAll(ActorRef<Object> server) {
    Route other = Route.of("other");
    Route third = Route.of("third");
    for (TransportCommand command :
        List.of(
            new TransportCommand.ServeUnary(ROUTE, server.narrow(), served.ref()),
            new TransportCommand.ServeStreamingRequest(ROUTE, server.narrow(), served.ref()),
            new TransportCommand.ServeBulkReads(other, server.narrow(), served.ref()),
            new TransportCommand.ServeStreamingResponse(other, server.narrow(), served.ref()),
            new TransportCommand.ServeBidirectional(third, server.narrow(), served.ref()))) {
      serving.tell(command);
      next(served, ServeReply.Served.class);
    }
  }

  @Test
  void shouldTellFailuresThatTheServerDecided() {
    TestProbe<IncomingCall> server = probe(IncomingCall.class);
    TestProbe<IncomingWrite> writes = probe(IncomingWrite.class);
    Route store = Route.of("store");
    serving.tell(new TransportCommand.ServeUnary(ROUTE, server.ref(), served.ref()));
    serving.tell(new TransportCommand.ServeBulkWrites(store, writes.ref(), served.ref()));
    transport.tell(
        new TransportCommand.Call(
            peer.address(), UnaryRequest.of(ROUTE, new byte[1]), 1, replies.ref()));
    next(server, IncomingCall.class).fail("no answer today");
    CallReply.Failed call = next(replies, CallReply.Failed.class);
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    transport.tell(
        new TransportCommand.WriteBulk(
            peer.address(), store, source(closed), TransferOptions.DEFAULTS, 2, replies.ref()));
    next(writes, IncomingWrite.class).fail("no room today");
    CallReply.Failed write = next(replies, CallReply.Failed.class);

    assertEquals(CallOutcome.HANDLER_FAILED, call.outcome());
    assertTrue(call.text().contains("no answer today"), call.text());
    assertEquals(CallOutcome.REFUSED, write.outcome());
    assertTrue(write.text().contains("no room today"), write.text());
    assertTrue(closed.join());
  }

  @Test
  void shouldEndAStreamThatFailsWhileAnElementWaits() {
    TestProbe<IncomingStream> server = probe(IncomingStream.class);
    TestProbe<StreamEvent> answers = probe(StreamEvent.class);
    serving.tell(new TransportCommand.ServeStreamingResponse(ROUTE, server.ref(), served.ref()));
    next(served, ServeReply.Served.class);
    transport.tell(
        new TransportCommand.OpenStreamingResponse(
            peer.address(), UnaryRequest.of(ROUTE, new byte[1]), events.ref()));
    ActorRef<StreamCommand> asking = next(events, StreamEvent.Opened.class).stream();
    ActorRef<StreamCommand> answering = next(server, IncomingStream.class).stream();
    answering.tell(new StreamCommand.Accept(answers.ref()));
    next(events, StreamEvent.Headers.class);
    for (int i = 0; i < 16; i++) {
      answering.tell(new StreamCommand.Push(new byte[1]));
    }
    asking.tell(new StreamCommand.Request(1));
    next(events, StreamEvent.Element.class);

    answering.tell(new StreamCommand.Fail("no more"));

    StreamEvent.Failed failed = next(events, StreamEvent.Failed.class);
    assertEquals(StreamEvent.Direction.INCOMING, failed.direction());
    events.expectTerminated(asking, Duration.ofSeconds(20));
    events.expectNoMessage(Duration.ZERO);
  }

  @Test
  void shouldGiveThreeElementsForARequestForThree() {
    TestProbe<IncomingStream> server = probe(IncomingStream.class);
    TestProbe<StreamEvent> answers = probe(StreamEvent.class);
    serving.tell(new TransportCommand.ServeStreamingResponse(ROUTE, server.ref(), served.ref()));
    next(served, ServeReply.Served.class);
    transport.tell(
        new TransportCommand.OpenStreamingResponse(
            peer.address(), UnaryRequest.of(ROUTE, new byte[1]), events.ref()));
    ActorRef<StreamCommand> asking = next(events, StreamEvent.Opened.class).stream();
    ActorRef<StreamCommand> answering = next(server, IncomingStream.class).stream();
    answering.tell(new StreamCommand.Accept(answers.ref()));
    next(answers, StreamEvent.Opened.class);
    assertEquals(16, next(answers, StreamEvent.Demand.class).count());
    for (int i = 0; i < 16; i++) {
      answering.tell(new StreamCommand.Push(new byte[] {(byte) i}));
    }
    for (int i = 0; i < 16; i++) {
      assertEquals(1, next(answers, StreamEvent.Demand.class).count());
    }
    next(events, StreamEvent.Headers.class);

    asking.tell(new StreamCommand.Request(3));
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(new byte[] {(byte) i}, next(events, StreamEvent.Element.class).bytes());
    }
    events.expectNoMessage(Duration.ofMillis(200));
    asking.tell(new StreamCommand.Cancel());
    next(answers, StreamEvent.NotWanted.class);
    events.expectTerminated(asking, Duration.ofSeconds(20));
    answers.expectTerminated(answering, Duration.ofSeconds(20));
    events.expectNoMessage(Duration.ZERO);
  }
}
