package com.acme.mill;

import io.millrace.api.CallContext;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.spring.MillraceRoute;
import io.millrace.spring.RouteFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** The application that docs/spring-boot.md shows. */
@SpringBootApplication
public class MillApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(MillApplication.class, arguments);
  }

  record Order(int sacks) {}

  record Receipt(String customer, int sacks) {}

  @Component
  static class Mill {
    @MillraceRoute("mill.orders")
    Receipt take(Order order, CallContext context) {
      return new Receipt(context.peer(), order.sacks());
    }
  }

  @Component
  static class Baker {
    private final Transport transport;
    private final Route<Order, Receipt> orders;

    Baker(Transport transport, RouteFactory routes) {
      this.transport = transport;
      orders = routes.route("mill.orders", Order.class, Receipt.class);
    }

    Receipt buy(String mill, int sacks) {
      return transport.peer(mill).unary(orders, new Order(sacks)).join();
    }
  }
}
