package io.millrace.samples.bench.grpc;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.PeerSite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Answers calls and counts bulk, on the event loop. */
final class GrpcEchoServer implements BenchServer {
  private final GrpcEventLoop events;
  private final Server server;
  private final String address;

  private GrpcEchoServer(GrpcEventLoop events, Server server, String address) {
    this.events = events;
    this.server = server;
    this.address = address;
  }

  static GrpcEchoServer open(PeerSite site, boolean encrypted)
      throws IOException, InterruptedException {
    GrpcEventLoop events = GrpcEventLoop.open(site.gate());
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .bossEventLoopGroup(events.group())
            .workerEventLoopGroup(events.group())
            .channelType(events.serverChannelType())
            .directExecutor()
            .flowControlWindow(GrpcEventLoop.WINDOW_BYTES)
            .addService(service());
    String trust = "";
    if (encrypted) {
      SelfSigned identity = SelfSigned.make(site.directory());
      builder.sslContext(
          GrpcSslContexts.configure(
                  SslContextBuilder.forServer(
                      identity.certificate().toFile(), identity.key().toFile()),
                  SslProvider.OPENSSL)
              .protocols("TLSv1.3")
              .build());
      trust = "/" + identity.certificate();
    }
    Server server = builder.build().start();
    return new GrpcEchoServer(events, server, server.getPort() + trust);
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public void close() {
    server.shutdownNow();
    events.close();
  }

  private static ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(EchoMethod.SERVICE)
        .addMethod(EchoMethod.ECHO, ServerCalls.asyncUnaryCall(GrpcEchoServer::answer))
        .addMethod(BulkMethod.COUNT, BulkMethod.handler(false))
        .addMethod(BulkMethod.VERIFY, BulkMethod.handler(true))
        .build();
  }

  private static void answer(byte[] request, StreamObserver<byte[]> responses) {
    responses.onNext(request);
    responses.onCompleted();
  }
}
