package io.millrace.tree;

import static java.util.concurrent.CompletableFuture.completedStage;

import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.blocking.BlockingPeer;
import io.millrace.api.blocking.BlockingServer;
import io.millrace.api.codec.jackson.JacksonCodec;
import io.millrace.config.TransportSettings;

/**
 * The example of the README: two nodes in one process. The first node serves a route, the second
 * node calls the route.
 */
final class ReadmeExample {
  record Order(String customer, int sacks) {}

  static final Route<Order, Integer> PRICE =
      Route.of("price", JacksonCodec.of(Order.class), JacksonCodec.of(Integer.class));

  static int price(TransportSettings settings, Order order) {
    try (Transport mill = Transport.start(settings);
        Transport baker = Transport.start(settings)) {
      mill.serve(PRICE, asked -> completedStage(20 * asked.sacks()));
      return baker.peer(mill.address()).unary(PRICE, order).join();
    }
  }

  static int priceThatWaits(TransportSettings settings, Order order) {
    try (Transport mill = Transport.start(settings);
        Transport baker = Transport.start(settings)) {
      BlockingServer.of(mill, 64 << 20).serve(PRICE, (asked, context) -> 20 * asked.sacks());
      return BlockingPeer.of(baker, mill.address()).call(PRICE, order);
    }
  }
}
