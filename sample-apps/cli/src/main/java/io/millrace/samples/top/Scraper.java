package io.millrace.samples.top;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks nodes for their metrics, all at once, and waits for a time. One thread. */
public final class Scraper implements AutoCloseable {
  private static final long MOST_BYTES = 16 << 20;
  private static final int OK = 200;

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<WatchedNode> nodes;
  private final Duration longest;
  private final List<HttpRequest> requests = new ArrayList<>();

  /**
   * Asks these nodes, {@code host:port} each.
   *
   * @param longest the time after which a node without an answer counts as down
   */
  public Scraper(List<String> addresses, Duration longest) {
    this.longest = longest;
    nodes = addresses.stream().map(WatchedNode::new).toList();
    for (String address : addresses) {
      requests.add(HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).build());
    }
  }

  /** Returns the nodes, in the given order. */
  public List<WatchedNode> nodes() {
    return nodes;
  }

  /** Asks every node once. */
  public void scrape() {
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (HttpRequest request : requests) {
      answers.add(
          client
              .sendAsync(
                  request,
                  HttpResponse.BodyHandlers.limiting(
                      HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8), MOST_BYTES))
              .orTimeout(longest.toNanos(), TimeUnit.NANOSECONDS));
    }
    for (int i = 0; i < answers.size(); i++) {
      take(nodes.get(i), answers.get(i));
    }
  }

  private static void take(WatchedNode node, CompletableFuture<HttpResponse<String>> answer) {
    try {
      HttpResponse<String> response = answer.join();
      if (response.statusCode() == OK) {
        node.onScrape(PrometheusText.parse(response.body()), System.nanoTime());
      } else {
        node.onFailure("answers " + response.statusCode(), System.nanoTime());
      }
    } catch (CompletionException e) {
      node.onFailure(cause(e.getCause()), System.nanoTime());
    } catch (IllegalArgumentException e) {
      node.onFailure("answers no metrics: " + e.getMessage(), System.nanoTime());
    }
  }

  private static String cause(@Nullable Throwable failure) {
    if (failure instanceof HttpTimeoutException || failure instanceof TimeoutException) {
      return "does not answer";
    }
    if (failure instanceof ConnectException) {
      return isOfUnknownHost(failure) ? "its host is unknown" : "connection refused";
    }
    return failure instanceof IOException ? "connection broken" : String.valueOf(failure);
  }

  private static boolean isOfUnknownHost(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof UnresolvedAddressException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  @Override
  public void close() {
    client.shutdownNow();
    client.close();
  }
}
