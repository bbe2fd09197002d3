package io.millrace.samples.bench.millrace;

import io.millrace.actor.dispatcher.CallerLoop;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.bench.PeerSite;
import io.millrace.wire.Route;

/** A node of one side, to be driven by its duty thread. */
final class MillraceNode {
  static final Route ECHO = Route.of("bench/echo");

  /** Both sides run on this host and for the length of one benchmark. */
  private static final String KEY =
      "4d696c6c7261636562656e63686d61726b4d696c6c7261636562656e63686d72";

  private final Transport transport;
  private final CallerLoop loop;

  MillraceNode(PeerSite site) {
    String driver = site.driver().isEmpty() ? "auto" : site.driver();
    transport =
        Transport.start(
            TransportSettings.parse(
                "millrace.handshake.psk = \""
                    + KEY
                    + "\"\nmillrace.workers.idle-strategy = CALLER_RUNS\nmillrace.nic.driver = \""
                    + driver
                    + "\""));
    loop = transport.callerLoops().getFirst();
  }

  Transport transport() {
    return transport;
  }

  void turn() {
    loop.runTurn();
  }

  void close() {
    transport.close();
  }
}
