package io.millrace.samples.bench;

import io.millrace.actor.body.BodyTarget;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.wire.Route;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Nodes in one process that take bulk writes and keep nothing; the child of a broadcast's cost. */
final class BroadcastSink {
  static final Route ROUTE = Route.of("sink");

  private static final TransportSettings SETTINGS =
      TransportSettings.parse(
          """
          millrace.handshake { listen = "127.0.0.1:0", psk = "%s" }
          millrace.nic.driver = udp
          millrace.transfers.buffer-pool = 64 MiB
          """
              .formatted("5a".repeat(32)));

  private BroadcastSink() {}

  /** What nodes of both processes are like. */
  static Transport start() {
    return Transport.start(SETTINGS);
  }

  /** Argument: how many nodes. Prints their addresses in one line; ends with its input. */
  public static void main(String[] args) throws IOException {
    StringBuilder addresses = new StringBuilder("addresses");
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      Transport node = start();
      node.serveBulkWrites(
          ROUTE, offer -> CompletableFuture.completedFuture(new ForgetfulTarget()));
      addresses.append(' ').append(node.address());
    }
    System.out.println(addresses);
    int read = System.in.read();
    System.exit(read < 0 ? 0 : 1);
  }

  private static final class ForgetfulTarget implements BodyTarget {
    @Override
    public void write(byte[] bytes, int offset, int length) {
      // Nobody wants them.
    }

    @Override
    public void complete() {
      // There is nothing to complete.
    }

    @Override
    public void abort(Throwable cause) {
      // There is nothing to undo.
    }
  }
}
