package io.millrace.samples.bench.faults;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.millrace.samples.bench.grpc.EchoMethod;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Calls over a single channel. */
final class GrpcFaultClient implements FaultClient {
  /** The least keep-alive time that grpc-java accepts. */
  static final long KEEP_ALIVE_TIME_SECONDS = 10;

  private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 20;
  private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(20);
  private static final long CONNECT_POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final ManagedChannel channel;
  private final ConcurrentLinkedQueue<Told> told = new ConcurrentLinkedQueue<>();

  GrpcFaultClient(FaultSite site) throws IOException {
    channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(FaultSite.SERVER_HOSTS.getFirst(), site.ports().getFirst()))
            .keepAliveTime(KEEP_ALIVE_TIME_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .sslContext(
                GrpcSslContexts.forClient()
                    .trustManager(site.shared().resolve("cert.pem").toFile())
                    .build())
            .overrideAuthority("localhost")
            .build();
  }

  @Override
  public void connect() throws IOException {
    watch(channel.getState(true));
    long giveUpNs = System.nanoTime() + CONNECT_NS;
    while (channel.getState(true) != ConnectivityState.READY) {
      if (System.nanoTime() - giveUpNs > 0) {
        throw new IOException("no connection");
      }
      LockSupport.parkNanos(CONNECT_POLL_NS);
    }
  }

  private void watch(ConnectivityState state) {
    told.add(new Told(System.nanoTime(), "channel is " + state));
    channel.notifyWhenStateChanged(state, () -> watch(channel.getState(false)));
  }

  @Override
  public void call(byte[] request, Ending ending) {
    ClientCall<byte[], byte[]> call =
        channel.newCall(
            EchoMethod.ECHO,
            CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS));
    call.start(new Answer(ending), new Metadata());
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
  }

  @Override
  public List<Told> told() {
    return List.copyOf(told);
  }

  private static final class Answer extends ClientCall.Listener<byte[]> {
    private final Ending ending;

    Answer(Ending ending) {
      this.ending = ending;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      ending.onEnd(status.isOk() ? "" : status.getCode() + ": " + status.getDescription());
    }
  }
}
