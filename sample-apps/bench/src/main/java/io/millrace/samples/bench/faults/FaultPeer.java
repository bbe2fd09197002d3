package io.millrace.samples.bench.faults;

import java.util.Locale;

/** The transports that carry the calls. */
enum FaultPeer {
  /** Millrace with usual settings, TLS. */
  MILLRACE(
      "TLS; futures; idle strategy, executor and time-outs by default; calls are not idempotent"),
  /** The grpc-java library over TLS. */
  GRPC(
      "TLS; asynchronous calls; keepAliveTime 10 s, the least in the documentation,"
          + " keepAliveTimeout 20 s, the server permits both; fail-fast and reconnecting by"
          + " default"),
  /** Aeron with an embedded media driver. */
  AERON(
      "UDP, in the clear; media driver embedded in each process, SHARED, time-outs by default"
          + " (publication connection 5 s, image liveness 10 s); requests and answers are matched,"
          + " and given up after the deadline, by the application, since Aeron knows no calls");

  private final String settings;

  FaultPeer(String settings) {
    this.settings = settings;
  }

  /** The name of the transport on the command line and in reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The settings of the transport, for the report. */
  String settings() {
    return settings;
  }

  /** Opens a server in this process, for the lifetime of the process. */
  Object openServer(FaultSite site) throws Exception {
    return switch (this) {
      case MILLRACE -> new MillraceFaultServer(site);
      case GRPC -> GrpcFaultServer.open(site);
      case AERON -> AeronFaultServer.open(site);
    };
  }

  /** Opens a client in this process; the client is not connected yet. */
  FaultClient openClient(FaultSite site) throws Exception {
    return switch (this) {
      case MILLRACE -> new MillraceFaultClient(site);
      case GRPC -> new GrpcFaultClient(site);
      case AERON -> new AeronFaultClient(site);
    };
  }
}
