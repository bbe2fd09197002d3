package io.millrace.samples.bench.grpc;

import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.PeerSite;
import java.util.List;

/**
 * grpc-java over Netty, with TLS or in the clear.
 *
 * @param name the name in the report
 * @param encrypted whether the transport uses TLS
 */
public record GrpcPeer(String name, boolean encrypted) implements BenchPeer {

  @Override
  public String settings() {
    String security =
        encrypted
            ? "TLS 1.3, BoringSSL through netty-tcnative, P-256 certificate verified by the client;"
                + " "
            : "not encrypted; ";
    return "HTTP/2 over TCP on 127.0.0.1, one connection; "
        + security
        + "Netty of grpc-netty-shaded; directExecutor on both sides; byte[] marshaller of known"
        + " length with a copy each way; calls begin on the event loop; flow control window"
        + " "
        + GrpcEventLoop.WINDOW_BYTES
        + " B; bulk is one client-streaming call with messages of 256 KiB, which the client copies"
        + " once, into the frame, and the server counts in place, without copying; ready"
        + " threshold "
        + GrpcBulkSender.READY_BYTES
        + " B; "
        + GrpcEventLoop.SETTINGS;
  }

  @Override
  public String threads() {
    return "each side one event loop thread, bench-grpc, for network, TLS, HTTP/2 and application";
  }

  @Override
  public Completion completion() {
    return Completion.INLINE;
  }

  @Override
  public List<String> jvmFlags() {
    return List.of(
        "-Dio.grpc.netty.shaded.io.netty.leakDetection.level=disabled",
        "-Dio.grpc.netty.shaded.io.netty.buffer.checkBounds=false",
        "-Dio.grpc.netty.shaded.io.netty.buffer.checkAccessible=false",
        "-Dio.perfmark.PerfMark.startEnabled=false");
  }

  @Override
  public BenchServer openServer(PeerSite site) throws Exception {
    return GrpcEchoServer.open(site, encrypted);
  }

  @Override
  public BenchClient openClient(PeerSite site, String address) throws Exception {
    return GrpcUnaryClient.open(site, address, encrypted);
  }
}
