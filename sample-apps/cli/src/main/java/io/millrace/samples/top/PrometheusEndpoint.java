package io.millrace.samples.top;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.api.Transport;
import io.millrace.config.Addresses;
import io.millrace.event.SubscriptionOptions;
import io.millrace.telemetry.kamon.KamonMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import kamon.Kamon;
import kamon.module.Module;
import kamon.prometheus.PrometheusReporter;

/**
 * The metrics of nodes at {@code http://HOST:PORT/metrics}, as Kamon's reporter for Prometheus
 * writes them. The metrics are as old as {@code kamon.metric.tick-interval} at most, 1 s unless a
 * system property says otherwise. Any thread.
 */
public final class PrometheusEndpoint implements AutoCloseable {
  private static final String PATH = "/metrics";
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final int MOST_READERS = 32;
  private static final Duration READER_LIMIT = Duration.ofSeconds(5);
  private static final int MOST_WAITING = 16;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  /** Kamon exists once in the process; its settings are the settings of the first endpoint. */
  private static final class Started {
    private static final Config CONFIG = start();
    private static final AtomicInteger ENDPOINTS = new AtomicInteger();

    private static Config start() {
      Config config =
          ConfigFactory.defaultOverrides()
              .withFallback(ConfigFactory.parseResources("kamon-of-millrace.conf"))
              .withFallback(ConfigFactory.load())
              .resolve();
      Kamon.initWithoutAttaching(config);
      return config;
    }
  }

  private final HttpServer server;
  private final RequestThreads readers = new RequestThreads(MOST_READERS, READER_LIMIT);
  private final PrometheusReporter reporter;
  private final Module.Registration registration;
  private final List<KamonMetrics> nodes = new ArrayList<>();

  private PrometheusEndpoint(HttpServer server) {
    this.server = server;
    reporter = new PrometheusReporter("kamon.prometheus", Started.CONFIG);
    registration =
        Kamon.addReporter("millrace-prometheus-" + Started.ENDPOINTS.getAndIncrement(), reporter);
  }

  /**
   * Listens at this address; port 0 lets the system choose.
   *
   * @throws IOException if listening is not possible: as a rule the port is in use
   */
  public static PrometheusEndpoint open(InetSocketAddress address) throws IOException {
    HttpServer server = HttpServer.create(address, MOST_WAITING);
    try {
      PrometheusEndpoint opened = new PrometheusEndpoint(server);
      server.setExecutor(opened.readers);
      server.createContext("/", opened::answer);
      server.start();
      return opened;
    } catch (RuntimeException | Error e) {
      server.stop(0);
      throw e;
    }
  }

  /** Returns the address of the endpoint, host:port. */
  public String address() {
    return Addresses.format(server.getAddress());
  }

  /** Starts this node; the endpoint serves its metrics from then on. */
  public Transport start(Transport.Builder builder) {
    KamonMetrics metrics = new KamonMetrics();
    synchronized (nodes) {
      nodes.add(metrics);
    }
    return builder
        .events(metrics, SubscriptionOptions.DEFAULTS.withActivityEvery(interval()))
        .start();
  }

  private static Duration interval() {
    return Started.CONFIG.getDuration("kamon.metric.tick-interval");
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestURI().getPath().equals(PATH)) {
        exchange.sendResponseHeaders(NOT_FOUND, -1);
        return;
      }
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
        exchange.sendResponseHeaders(OK, -1);
        return;
      }
      byte[] text = reporter.scrapeData().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
      exchange.sendResponseHeaders(OK, text.length);
      exchange.getResponseBody().write(text);
    }
  }

  /** Stops listening. To be called after the nodes are closed. Idempotent. */
  @Override
  public void close() {
    server.stop(0);
    readers.interruptAll();
    registration.cancel();
    synchronized (nodes) {
      nodes.forEach(KamonMetrics::close);
      nodes.clear();
    }
  }
}
