package io.millrace.samples.bench.burst;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.millrace.samples.bench.grpc.SelfSigned;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Servers and channels of grpc-java over TLS, with a channel for each pair of endpoints. */
final class GrpcBurstNode implements BurstNode {
  private static final String SERVICE = "millrace.bench.Burst";
  private static final MethodDescriptor<byte[], byte[]> CALL =
      MethodDescriptor.newBuilder(new Bytes(), new Bytes())
          .setType(MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Call"))
          .build();

  private final SslContext trust;
  private final List<Server> servers = new ArrayList<>();
  private final List<String> addresses = new ArrayList<>();
  private final Map<String, ManagedChannel> channels = new HashMap<>();

  private GrpcBurstNode(SslContext trust) {
    this.trust = trust;
  }

  /** The certificate is the same for all sides: the first process makes the certificate. */
  static GrpcBurstNode open(BurstSite site) throws IOException, InterruptedException {
    Path directory = site.directory();
    if (site.isReceiver()) {
      SelfSigned.make(directory);
    }
    Path certificate = directory.resolve("cert.pem");
    GrpcBurstNode side =
        new GrpcBurstNode(GrpcSslContexts.forClient().trustManager(certificate.toFile()).build());
    SslContext identity =
        GrpcSslContexts.forServer(certificate.toFile(), directory.resolve("key.pem").toFile())
            .build();
    for (int i = 0; i < site.nodes(); i++) {
      Server server =
          NettyServerBuilder.forAddress(new InetSocketAddress(site.host(), 0))
              .directExecutor()
              .sslContext(identity)
              .addService(
                  ServerServiceDefinition.builder(SERVICE)
                      .addMethod(CALL, ServerCalls.asyncUnaryCall(GrpcBurstNode::answer))
                      .build())
              .build()
              .start();
      side.servers.add(server);
      side.addresses.add(site.host() + ":" + server.getPort());
      site.opened().accept(i + 1);
    }
    return side;
  }

  private static void answer(byte[] request, StreamObserver<byte[]> responses) {
    responses.onNext(new byte[BurstCaller.answerBytes(request)]);
    responses.onCompleted();
  }

  @Override
  public List<String> addresses() {
    return addresses;
  }

  @Override
  public List<BurstCaller> callers(List<String> targets, boolean isForProbes) {
    List<BurstCaller> callers = new ArrayList<>();
    for (String target : targets) {
      String pair = callers.size() % servers.size() + " " + target;
      ManagedChannel channel = channels.computeIfAbsent(pair, key -> open(target));
      callers.add((request, isProbe, ending) -> call(channel, request, ending));
    }
    return callers;
  }

  private ManagedChannel open(String target) {
    int colon = target.lastIndexOf(':');
    return NettyChannelBuilder.forAddress(
            new InetSocketAddress(
                target.substring(0, colon), Integer.parseInt(target.substring(colon + 1))))
        .directExecutor()
        .sslContext(trust)
        .overrideAuthority("localhost")
        .build();
  }

  private static void call(ManagedChannel channel, byte[] request, BurstCaller.Ending ending) {
    ClientCall<byte[], byte[]> call = channel.newCall(CALL, CallOptions.DEFAULT);
    call.start(new Answer(ending), new Metadata());
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
  }

  @Override
  public void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
    servers.forEach(Server::shutdownNow);
  }

  private static final class Answer extends ClientCall.Listener<byte[]> {
    private final BurstCaller.Ending ending;

    Answer(BurstCaller.Ending ending) {
      this.ending = ending;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (status.isOk()) {
        ending.onEnd(BurstCaller.End.DONE);
      } else {
        BurstCaller.fail(ending, status.getCode() + " " + status.getDescription());
      }
    }
  }

  /** Passes bytes on unchanged. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
