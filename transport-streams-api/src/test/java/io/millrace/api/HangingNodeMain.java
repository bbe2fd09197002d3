package io.millrace.api;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;

/** A process with a worker that hangs on command; the argument is {@code workers.hang-after}. */
final class HangingNodeMain {
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");
  private static final Route<ByteString, ByteString> HANG = Route.bytes("hang");

  private HangingNodeMain() {}

  public static void main(String[] args) throws Exception {
    String hangAfter = "millrace.workers.hang-after = " + args[0] + "\n";
    try (Transport server = Transport.start(TwoNodes.small(hangAfter));
        Transport client = Transport.start(TwoNodes.small("millrace.workers.hang-after = 0\n"))) {
      server.serveOnWorker(
          ECHO, call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      server.serveOnWorker(HANG, call -> spin());
      obey(client.peer(server.address()));
    }
  }

  private static void obey(Peer server) throws Exception {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("ready ");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals("hang")) {
        var _ = server.unary(HANG, ByteString.fromString("x"));
      } else {
        server.unary(ECHO, ByteString.fromString("x")).get(20, TimeUnit.SECONDS);
        System.out.println("answered ");
      }
    }
  }

  private static void spin() {
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }
}
