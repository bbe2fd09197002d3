package io.millrace.tree.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** A node in a pod, which answers the probes of Kubernetes. */
final class MillPod {
  private final HttpServer probes;
  private volatile boolean isReady;

  private MillPod(HttpServer probes) {
    this.probes = probes;
  }

  /** The program of the container; SIGTERM drains and closes the node. */
  public static void main(String[] arguments) throws IOException {
    Transport transport = Transport.start(TransportSettings.defaults());
    MillPod.listen(8080).serve(transport);
  }

  /** Answers probes from now on; the pod is not ready yet. */
  static MillPod listen(int port) throws IOException {
    MillPod pod = new MillPod(HttpServer.create(new InetSocketAddress(port), 0));
    pod.probes.createContext("/live", exchange -> answer(exchange, true));
    pod.probes.createContext("/ready", exchange -> answer(exchange, pod.isReady));
    pod.probes.start();
    return pod;
  }

  void serve(Transport transport) {
    transport.serve(Route.bytes("mill.echo"), CompletableFuture::completedStage);
    isReady = true;
  }

  private static void answer(HttpExchange exchange, boolean isWell) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(isWell ? 200 : 503, -1);
    }
  }

  int port() {
    return probes.getAddress().getPort();
  }

  void close() {
    probes.stop(0);
  }
}
