package com.acme.modular;

import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;

/** The first node echoes a request of the second node. */
public final class Main {
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");

  private Main() {}

  /** Prints the module of the API and the answer, a line each. */
  public static void main(String[] args) throws Exception {
    TransportSettings settings =
        TransportSettings.defaults().withPsk("00112233445566778899aabbccddeeff".repeat(2));
    try (Transport server = Transport.start(settings);
        Transport client = Transport.start(settings)) {
      server.serve(ECHO, CompletableFuture::completedFuture);
      ByteString answer =
          client
              .peer(server.address())
              .unary(ECHO, ByteString.fromString("grain"))
              .get(20, TimeUnit.SECONDS);
      System.out.println(Transport.class.getModule());
      System.out.println("answered " + answer.utf8String());
    }
  }
}
