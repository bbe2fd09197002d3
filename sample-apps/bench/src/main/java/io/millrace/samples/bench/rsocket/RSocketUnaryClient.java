package io.millrace.samples.bench.rsocket;

import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BulkLoop;
import io.millrace.samples.bench.peer.CallLoop;
import io.millrace.samples.bench.peer.PeerSite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.util.ByteBufPayload;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.netty.tcp.TcpClient;

/** Subscribes to calls on the event loop, the thread of their completion. */
final class RSocketUnaryClient implements BenchClient {
  private static final Duration CONNECT = Duration.ofSeconds(20);

  private final ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
  private final OneLoop loop;
  private final RSocket rsocket;

  private RSocketUnaryClient(OneLoop loop, RSocket rsocket) {
    this.loop = loop;
    this.rsocket = rsocket;
  }

  static RSocketUnaryClient open(PeerSite site, int port) {
    OneLoop loop = new OneLoop(site.gate());
    TcpClient tcp = TcpClient.create().host("127.0.0.1").port(port).runOn(loop, true);
    RSocket rsocket =
        RSocketConnector.create()
            .payloadDecoder(PayloadDecoder.ZERO_COPY)
            // rounds of other peers may keep this process asleep for long
            .keepAlive(Duration.ofMinutes(1), Duration.ofHours(1))
            .connect(TcpClientTransport.create(tcp))
            .block(CONNECT);
    return new RSocketUnaryClient(loop, Objects.requireNonNull(rsocket));
  }

  @Override
  public void start(CallLoop calls) {
    loop.loop().execute(() -> begin(calls));
  }

  @Override
  public void start(BulkLoop bulk) {
    loop.loop().execute(() -> RSocketBulkSender.start(rsocket, bulk));
  }

  @Override
  public void close() {
    rsocket.dispose();
    loop.dispose();
  }

  private void begin(CallLoop calls) {
    int length = calls.payloadBytes();
    while (calls.canBegin()) {
      long id = calls.begin();
      ByteBuf request = allocator.directBuffer(length);
      request.writeLong(id);
      request.writeBytes(CallLoop.FILLER, 0, length - 2 * Long.BYTES);
      request.writeLong(CallLoop.tail(id));
      rsocket.requestResponse(ByteBufPayload.create(request)).subscribe(new Answer(calls));
    }
  }

  /** Takes the answer of a call and begins the next call. */
  private final class Answer implements CoreSubscriber<Payload> {
    private final CallLoop calls;
    private boolean answered;

    Answer(CallLoop calls) {
      this.calls = calls;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(1);
    }

    @Override
    public void onNext(Payload response) {
      ByteBuf data = response.sliceData();
      int length = data.readableBytes();
      if (length >= Long.BYTES) {
        answered = true;
        int start = data.readerIndex();
        calls.onResponse(length, data.getLong(start), data.getLong(start + length - Long.BYTES));
      }
      response.release();
    }

    @Override
    public void onError(@Nullable Throwable cause) {
      calls.onFailure();
    }

    @Override
    public void onComplete() {
      if (!answered) {
        calls.onFailure();
        return;
      }
      begin(calls);
    }
  }
}
