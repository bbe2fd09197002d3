package io.millrace.api;

import io.millrace.event.TransportEvents;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;

/**
 * Two nodes with the drivers that work here; prints the choices, the missing features, and the
 * success.
 */
final class PortableNodeMain {
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");

  private PortableNodeMain() {}

  public static void main(String[] args) throws Exception {
    TransportEvents events =
        new TransportEvents() {
          @Override
          public void onResourceMissing(String resource, String reason, String mode) {
            System.out.println("missing " + resource + ": " + reason);
          }
        };
    String choice = "millrace { nic.driver = auto, workers.cores = auto }\n";
    try (Transport server = Transport.builder(TwoNodes.small(choice)).events(events).start();
        Transport client = Transport.start(TwoNodes.small("millrace.nic.driver = auto\n"))) {
      server.serve(ECHO, CompletableFuture::completedFuture);
      System.out.println("driver " + server.pool().driverName());
      ByteString bytes = ByteString.fromString("grain");
      ByteString answer =
          client.peer(server.address()).unary(ECHO, bytes).get(20, TimeUnit.SECONDS);
      System.out.println("answered " + answer.utf8String());
    }
  }
}
