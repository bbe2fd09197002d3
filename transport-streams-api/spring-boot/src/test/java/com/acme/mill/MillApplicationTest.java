package com.acme.mill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.mill.MillApplication.Baker;
import com.acme.mill.MillApplication.Receipt;
import io.millrace.api.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application of the page does what the page says, and the page shows all of it. */
@Timeout(60)
class MillApplicationTest {
  private static ConfigurableApplicationContext run() {
    return SpringApplication.run(
        MillApplication.class,
        "--spring.main.banner-mode=off",
        "--millrace.handshake.provider=psk",
        "--millrace.handshake.psk=" + "0123456789abcdef".repeat(4));
  }

  @Test
  void shouldBuyFromAnotherApplication() {
    try (ConfigurableApplicationContext mill = run();
        ConfigurableApplicationContext baker = run()) {
      String customer = baker.getBean(Transport.class).address();
      assertEquals(
          new Receipt(customer, 3),
          baker.getBean(Baker.class).buy(mill.getBean(Transport.class).address(), 3));
    }
  }

  @Test
  void shouldBeShownByThePage() throws IOException {
    Path module = Path.of("").toAbsolutePath();
    String source =
        Files.readString(module.resolve("src/test/java/com/acme/mill/MillApplication.java"));
    String page = Files.readString(module.resolve("../../docs/spring-boot.md"));
    String shown = source.substring(source.indexOf("@SpringBootApplication"));
    assertTrue(page.contains("```java\n" + shown + "```\n"), "docs/spring-boot.md shows another");
  }
}
