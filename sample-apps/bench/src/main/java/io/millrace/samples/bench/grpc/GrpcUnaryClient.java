package io.millrace.samples.bench.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NegotiationType;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.stub.ClientCalls;
import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BulkLoop;
import io.millrace.samples.bench.peer.CallLoop;
import io.millrace.samples.bench.peer.PeerSite;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Begins calls and bulk on the event loop, the thread of their completion. */
final class GrpcUnaryClient implements BenchClient {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final GrpcEventLoop events;
  private final ManagedChannel channel;

  private GrpcUnaryClient(GrpcEventLoop events, ManagedChannel channel) {
    this.events = events;
    this.channel = channel;
  }

  static GrpcUnaryClient open(PeerSite site, String address, boolean encrypted) throws IOException {
    GrpcEventLoop events = GrpcEventLoop.open(site.gate());
    int slash = address.indexOf('/');
    int port = Integer.parseInt(encrypted ? address.substring(0, slash) : address);
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .eventLoopGroup(events.group())
            .channelType(events.channelType())
            .directExecutor()
            .flowControlWindow(GrpcEventLoop.WINDOW_BYTES)
            .overrideAuthority("localhost");
    if (encrypted) {
      builder.sslContext(
          GrpcSslContexts.configure(
                  SslContextBuilder.forClient()
                      .trustManager(Path.of(address.substring(slash + 1)).toFile()),
                  SslProvider.OPENSSL)
              .protocols("TLSv1.3")
              .build());
    } else {
      builder.negotiationType(NegotiationType.PLAINTEXT);
    }
    ManagedChannel channel = builder.build();
    ClientCalls.blockingUnaryCall(channel, EchoMethod.ECHO, CallOptions.DEFAULT, new byte[1]);
    return new GrpcUnaryClient(events, channel);
  }

  @Override
  public void start(CallLoop loop) {
    events.loop().execute(() -> begin(loop, newRequest(loop)));
  }

  @Override
  public void start(BulkLoop loop) {
    events.loop().execute(() -> GrpcBulkSender.start(channel, loop));
  }

  @Override
  public void close() {
    channel.shutdownNow();
    events.close();
  }

  private static byte[] newRequest(CallLoop loop) {
    byte[] request = new byte[loop.payloadBytes()];
    System.arraycopy(CallLoop.FILLER, 0, request, Long.BYTES, request.length - 2 * Long.BYTES);
    return request;
  }

  /** Begins as many calls as may; the array is free again when sendMessage returns. */
  private void begin(CallLoop loop, byte[] request) {
    while (loop.canBegin()) {
      long id = loop.begin();
      LONGS.set(request, 0, id);
      LONGS.set(request, request.length - Long.BYTES, CallLoop.tail(id));
      ClientCall<byte[], byte[]> call = channel.newCall(EchoMethod.ECHO, CallOptions.DEFAULT);
      call.start(new Answer(loop, request), new Metadata());
      call.request(2);
      call.sendMessage(request);
      call.halfClose();
    }
  }

  /** Takes the answer of a call and begins the next call. */
  private final class Answer extends ClientCall.Listener<byte[]> {
    private final CallLoop loop;
    private final byte[] request;
    private byte @Nullable [] response;

    Answer(CallLoop loop, byte[] request) {
      this.loop = loop;
      this.request = request;
    }

    @Override
    public void onMessage(byte[] message) {
      response = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      byte[] bytes = response;
      if (!status.isOk() || bytes == null || bytes.length < Long.BYTES) {
        loop.onFailure();
        return;
      }
      long head = (long) LONGS.get(bytes, 0);
      loop.onResponse(bytes.length, head, (long) LONGS.get(bytes, bytes.length - Long.BYTES));
      begin(loop, request);
    }
  }
}
