package io.millrace.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.CallContext;
import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.codec.Codec;
import io.millrace.config.SettingsException;
import io.millrace.transfer.CallOutcome;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Applications of Spring Boot that call each other. */
@Timeout(30)
class MillraceApplicationTest {
  private static final long LOOK_AGAIN_NS = 5_000_000;
  private static final String PSK = "--millrace.handshake.psk=" + "0123456789abcdef".repeat(4);

  record Order(String customer, int sacks) {}

  record Receipt(int number, List<Order> orders, boolean isVirtual) {}

  record Flour(int kilograms) {}

  @Configuration(proxyBeanMethods = false)
  static class Codecs {
    /** A byte for a kilogram, which is no JSON. */
    @Bean
    Codec<Flour> flour() {
      return new Codec<>() {
        @Override
        public ByteString encode(Flour value) {
          return ByteString.fromArray(new byte[value.kilograms()]);
        }

        @Override
        public Flour decode(ByteString message) {
          return new Flour(message.size());
        }
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Codecs.class)
  static class Client {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Codecs.class)
  static class Mill {
    @Bean
    Orders orders() {
      return new Orders();
    }

    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }
  }

  static final class Orders {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    @MillraceRoute("${orders.prefix:orders}.take")
    Receipt take(CallContext context, Order order) {
      boolean isVirtual = Thread.currentThread().isVirtual();
      return new Receipt(context.priority(), List.of(order), isVirtual);
    }

    @MillraceRoute("orders.all")
    CompletionStage<List<Order>> all(String customer) {
      return CompletableFuture.completedFuture(List.of(new Order(customer, 1)));
    }

    @MillraceRoute(value = "orders.slow", requestBytes = 1)
    String slow(String customer) throws InterruptedException {
      entered.countDown();
      try {
        mayEnd.await();
      } catch (InterruptedException e) {
        interrupted.countDown();
        throw e;
      }
      return customer + " is served";
    }

    @MillraceRoute("orders.flour")
    Flour flour(Flour half) {
      return new Flour(2 * half.kilograms());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WrongShape {
    @Bean
    TwoRequests wrong() {
      return new TwoRequests();
    }
  }

  static final class TwoRequests {
    @MillraceRoute("both")
    String both(String first, String second) {
      return first + second;
    }
  }

  private static ConfigurableApplicationContext run(Class<?> application, String... more) {
    SpringApplication spring = new SpringApplication(application);
    spring.setWebApplicationType(WebApplicationType.NONE);
    spring.setBannerMode(Banner.Mode.OFF);
    spring.setDefaultProperties(Map.of("millrace.handshake.provider", "psk"));
    String[] arguments = new String[more.length + 1];
    arguments[0] = PSK;
    System.arraycopy(more, 0, arguments, 1, more.length);
    return spring.run(arguments);
  }

  private static Peer peer(ConfigurableApplicationContext from, ConfigurableApplicationContext to) {
    return from.getBean(Transport.class).peer(to.getBean(Transport.class).address());
  }

  private static HealthIndicator indicator(ConfigurableApplicationContext of) {
    return of.getBean("millraceHealthIndicator", HealthIndicator.class);
  }

  private static Health health(HealthIndicator indicator) {
    return Objects.requireNonNull(indicator.health());
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(LOOK_AGAIN_NS);
    }
  }

  private static CallOutcome failure(CompletableFuture<?> call) {
    CompletionException failed =
        assertThrows(CompletionException.class, () -> call.orTimeout(20, TimeUnit.SECONDS).join());
    return assertInstanceOf(CallException.class, failed.getCause()).outcome();
  }

  private static <T> T answer(CompletableFuture<T> call) {
    return call.orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Test
  void shouldAnswerCallsByMethodsOfBeans() throws InterruptedException {
    try (ConfigurableApplicationContext mill =
            run(Mill.class, "--spring.threads.virtual.enabled=true");
        ConfigurableApplicationContext baker = run(Client.class)) {
      RouteFactory routes = baker.getBean(RouteFactory.class);
      Peer peer = peer(baker, mill);
      Order order = new Order("baker", 3);
      Receipt receipt =
          answer(peer.unary(routes.route("orders.take", Order.class, Receipt.class), order));
      assertEquals(List.of(order), receipt.orders());
      assertTrue(receipt.isVirtual());
      assertEquals(
          List.of(Map.of("customer", "baker", "sacks", 1)),
          answer(peer.unary(routes.route("orders.all", String.class, List.class), "baker")));
      assertEquals(
          new Flour(50),
          answer(
              peer.unary(
                  routes.route("orders.flour", ByteString.class, Flour.class),
                  ByteString.fromArray(new byte[25]))));
      Orders orders = mill.getBean(Orders.class);
      CompletableFuture<String> given =
          peer.unary(routes.route("orders.slow", String.class, String.class), "baker");
      orders.entered.await();
      given.cancel(true);
      orders.interrupted.await();
      assertEquals(Status.UP, health(indicator(mill)).getStatus());
      Map<String, Object> details = health(indicator(baker)).getDetails();
      assertEquals(Map.of("HEALTHY", 1), details.get("peers"));
      assertEquals(Map.of(), details.get("unhealthy"));
      await(() -> mill.getBean(MeterRegistry.class).find("millrace.workers.up").gauge() != null);
    }
  }

  @Test
  void shouldLetARunningCallEndWhenTheApplicationCloses() throws InterruptedException {
    try (ConfigurableApplicationContext mill = run(Mill.class);
        ConfigurableApplicationContext baker = run(Client.class)) {
      Route<String, String> slow =
          baker.getBean(RouteFactory.class).route("orders.slow", String.class, String.class);
      HealthIndicator indicator = indicator(mill);
      Orders orders = mill.getBean(Orders.class);
      Peer peer = peer(baker, mill);
      CompletableFuture<String> running = peer.unary(slow, "baker");
      orders.entered.await();
      assertEquals(CallOutcome.OVERLOADED, failure(peer.unary(slow, "second")));
      Thread closing = Thread.ofPlatform().start(mill::close);
      await(() -> health(indicator).getStatus().equals(Status.OUT_OF_SERVICE));
      assertEquals(CallOutcome.SHUTTING_DOWN, failure(peer.unary(slow, "third")));
      assertTrue(closing.isAlive());
      orders.mayEnd.countDown();
      assertEquals("baker is served", answer(running));
      closing.join();
      assertEquals(Status.DOWN, health(indicator).getStatus());
    }
  }

  @Test
  void shouldRefuseAMisspeltPropertyAndNameIt() {
    SettingsException refused =
        rootCause(SettingsException.class, Client.class, "--millrace.workers.cuont=2");
    assertEquals(
        "configuration key 'millrace.workers.cuont' is unknown (\"millrace.workers.cuont\" from"
            + " property source \"commandLineArgs\"); did you mean 'millrace.workers.count'?",
        new SettingsFailureAnalyzer().analyze(refused, refused).getDescription());
  }

  @Test
  void shouldRefuseAMethodThatCannotAnswerAndNameIt() {
    String message =
        String.valueOf(rootCause(IllegalStateException.class, WrongShape.class).getMessage());
    assertTrue(message.contains("TwoRequests.both needs one parameter"), message);
  }

  private static <T extends Throwable> T rootCause(
      Class<T> type, Class<?> application, String... arguments) {
    Throwable failure = assertThrows(RuntimeException.class, () -> run(application, arguments));
    while (failure.getCause() != null) {
      failure = failure.getCause();
    }
    return assertInstanceOf(type, failure);
  }
}
