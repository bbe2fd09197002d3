/**
 * The engine. Applications see the packages that signatures of the API and of drivers name; the
 * rest is for Millrace's own modules. Kamon's jars have names that no module can require: see
 * docs/modules.md.
 */
@SuppressWarnings({
  "module",
  "requires-automatic",
  "requires-transitive-automatic"
}) // see docs/modules.md
module io.millrace.engine {
  requires static io.netty.buffer;
  requires static io.netty.codec.classes.quic;
  requires static io.netty.common;
  requires static io.netty.handler;
  requires static io.netty.transport;
  requires static transitive org.jspecify;
  requires java.management;
  requires jdk.jfr;
  requires jdk.management;
  requires org.slf4j;
  requires pekko.actor;
  requires scala.library;
  requires transitive org.agrona;
  requires transitive pekko.actor.typed;
  requires transitive typesafe.config;
  // for Pekko and Agrona, which as automatic modules name nothing
  requires java.logging;
  requires java.naming;
  requires jdk.unsupported;

  exports io.millrace.access;
  exports io.millrace.access.admission to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.actor to
      io.millrace.api;
  exports io.millrace.body to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.buffer to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.config;
  exports io.millrace.crypto;
  exports io.millrace.driver;
  exports io.millrace.ends to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.ends.retry to
      io.millrace.api;
  exports io.millrace.engine to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.event;
  exports io.millrace.handshake to
      io.millrace.testkit;
  exports io.millrace.handshake.psk to
      io.millrace.testkit;
  exports io.millrace.loop to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.loop.watch to
      io.millrace.testkit;
  exports io.millrace.memory;
  exports io.millrace.nic to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.node;
  exports io.millrace.path to
      io.millrace.testkit;
  exports io.millrace.path.call to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.path.causality to
      io.millrace.api;
  exports io.millrace.path.network to
      io.millrace.testkit;
  exports io.millrace.path.packet to
      io.millrace.testkit;
  exports io.millrace.path.peer to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.path.region to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.path.stream to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.protocol.congestion to
      io.millrace.testkit;
  exports io.millrace.protocol.health to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.protocol.recovery to
      io.millrace.testkit;
  exports io.millrace.protocol.region to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.protocol.schedule to
      io.millrace.testkit;
  exports io.millrace.protocol.stream to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.protocol.transfer to
      io.millrace.testkit;
  exports io.millrace.queue to
      io.millrace.api;
  exports io.millrace.telemetry.kamon;
  exports io.millrace.transfer;
  exports io.millrace.wait to
      io.millrace.api;
  exports io.millrace.wire to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.wire.codec to
      io.millrace.api,
      io.millrace.testkit;
  exports io.millrace.worker to
      io.millrace.api,
      io.millrace.testkit;

  // Pekko makes schedulers and executors by the class names of a configuration
  opens io.millrace.engine to
      pekko.actor;
  opens io.millrace.loop to
      pekko.actor;

  uses io.millrace.crypto.AeadProvider;
  uses io.millrace.crypto.HandshakeProvider;
  uses io.millrace.driver.DriverProvider;

  provides io.millrace.crypto.AeadProvider with
      io.millrace.crypto.internal.AeadContextProvider,
      io.millrace.crypto.internal.OpensslProvider,
      io.millrace.crypto.internal.AccpProvider,
      io.millrace.crypto.internal.JdkProvider;
  provides io.millrace.crypto.HandshakeProvider with
      io.millrace.handshake.psk.PskProvider,
      io.millrace.handshake.quic.QuicProvider,
      io.millrace.handshake.tls.TlsProvider;
}
