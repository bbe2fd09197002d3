package io.millrace.samples.bench.faults;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.millrace.samples.bench.grpc.EchoMethod;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Answers calls with their payload. */
final class GrpcFaultServer {
  private GrpcFaultServer() {}

  static Server open(FaultSite site) throws IOException {
    Path shared = site.shared();
    return NettyServerBuilder.forAddress(
            new InetSocketAddress(site.hosts().getFirst(), site.port()))
        .permitKeepAliveTime(GrpcFaultClient.KEEP_ALIVE_TIME_SECONDS, TimeUnit.SECONDS)
        .sslContext(
            GrpcSslContexts.forServer(
                    shared.resolve("cert.pem").toFile(), shared.resolve("key.pem").toFile())
                .build())
        .addService(
            ServerServiceDefinition.builder(EchoMethod.SERVICE)
                .addMethod(EchoMethod.ECHO, ServerCalls.asyncUnaryCall(GrpcFaultServer::answer))
                .build())
        .build()
        .start();
  }

  private static void answer(byte[] request, StreamObserver<byte[]> responses) {
    responses.onNext(request);
    responses.onCompleted();
  }
}
