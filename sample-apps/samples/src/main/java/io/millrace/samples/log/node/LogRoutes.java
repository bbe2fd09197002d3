package io.millrace.samples.log.node;

import io.millrace.api.Route;
import io.millrace.api.codec.Codec;
import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.Entry;
import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Promise;
import io.millrace.samples.log.core.Result;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.pekko.util.ByteString;

/** The routes of a replica. */
final class LogRoutes {
  static final FieldCodec<Operation> OPERATION = codec(Operation::write, Operation::read);
  static final FieldCodec<Result> RESULT = codec(Result::write, Result::read);
  static final FieldCodec<Long> NUMBER =
      codec((value, out) -> out.number(value), FieldReader::number);
  static final FieldCodec<Chosen> CHOSEN_MESSAGE = codec(Chosen::write, Chosen::read);

  /** Clients: an operation and its result. */
  static final Route<Operation, Result> REQUEST = Route.of("log.request", OPERATION, RESULT);

  /** Anyone: asks for the state of this replica. The number says nothing. */
  static final Route<Long, ReplicaStatus> STATUS =
      Route.of("log.status", NUMBER, codec(ReplicaStatus::write, ReplicaStatus::read));

  /** Replicas: the identity of a replica's directory, before its first vote. */
  static final Route<Introduction, Acquaintance> JOIN =
      Route.of(
          "log.join",
          codec(Introduction::write, Introduction::read),
          codec(Acquaintance::write, Acquaintance::read));

  static final Route<Ballot, Promise> PREPARE =
      Route.of(
          "log.prepare", codec(Ballot::write, Ballot::read), codec(Promise::write, Promise::read));

  /**
   * An {@link Accept}, encoded; answers the slot, or fails with the ballot that forbids the
   * acceptance.
   */
  static final Route<ByteString, Long> ACCEPT = Route.of("log.accept", Codec.bytes(), NUMBER);

  /** The bytes of a large proposal, by bulk. */
  static final Route<ByteString, ByteString> VALUE = Route.bytes("log.value");

  /** Accepts a proposal received by {@link #VALUE}. */
  static final Route<Chosen, Long> ACCEPT_VALUE =
      Route.of("log.accept-value", CHOSEN_MESSAGE, NUMBER);

  static final Route<Chosen, Long> CHOSEN = Route.of("log.chosen", CHOSEN_MESSAGE, NUMBER);

  /** Replicas: the number of a replica that takes no part any more. */
  static final Route<Long, Long> RESIGN = Route.of("log.resign", NUMBER, NUMBER);

  /** The chosen entries from a slot on. */
  static final Route<Long, Entry> CATCH_UP =
      Route.of("log.catch-up", NUMBER, codec(Entry::write, Entry::read));

  /** A checkpoint, by bulk. */
  static final Route<ByteString, ByteString> SNAPSHOT = Route.bytes("log.snapshot");

  private LogRoutes() {}

  private static <T> FieldCodec<T> codec(
      BiConsumer<T, FieldWriter> write, Function<FieldReader, T> read) {
    return new FieldCodec<>(write, read);
  }
}
