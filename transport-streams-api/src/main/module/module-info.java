/** The API for applications. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // see docs/modules.md
module io.millrace.api {
  requires static com.fasterxml.jackson.core;
  requires static com.fasterxml.jackson.databind;
  requires static io.opentelemetry.api;
  requires static io.opentelemetry.context;
  requires static pekko.cluster;
  requires static pekko.cluster.typed;
  requires static transitive org.jspecify;
  requires org.agrona;
  requires scala.library;
  requires transitive io.millrace.engine;
  requires transitive pekko.actor;
  requires transitive pekko.stream;

  exports io.millrace.api;
  exports io.millrace.api.actor;
  exports io.millrace.api.blocking;
  exports io.millrace.api.bulk;
  exports io.millrace.api.cluster;
  exports io.millrace.api.codec;
  exports io.millrace.api.codec.jackson;
  exports io.millrace.api.many;
  exports io.millrace.telemetry.otel;
  exports io.millrace.trace;
}
