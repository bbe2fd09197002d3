package io.millrace.protobuf;

import static java.util.concurrent.CompletableFuture.completedStage;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.codec.Codec;
import io.millrace.config.TransportSettings;
import io.millrace.transfer.CallOutcome;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages of Protocol Buffers between two nodes over sockets. */
@Timeout(60)
class ProtobufTransportTest {
  private static final TransportSettings SETTINGS =
      TransportSettings.defaults().withPsk("0123456789abcdef".repeat(4));
  private static final ProtobufCodec<Struct> STRUCTS = ProtobufCodec.of(Struct.class);
  private static final ProtobufCodec<Value> VALUES = ProtobufCodec.of(Value.class);
  private static final Route<Struct, Value> COUNT = Route.of("count", STRUCTS, VALUES);

  private static final Transport SERVER = Transport.start(SETTINGS);
  private static final Transport CLIENT = Transport.start(SETTINGS);
  private static final Peer PEER = CLIENT.peer(SERVER.address());

  @BeforeAll
  static void serve() {
    SERVER.serve(COUNT, struct -> completedStage(number(struct.getFieldsCount())));
    SERVER.serveStreamingResponse(
        COUNT,
        struct -> Source.range(1, struct.getFieldsCount()).map(ProtobufTransportTest::number));
    SERVER.serve(
        Route.of("deep", Codec.bytes(), Codec.bytes()),
        _ -> completedStage(ByteString.fromArray(nested(200).toByteArray())));
  }

  @AfterAll
  static void close() {
    CLIENT.close();
    SERVER.close();
  }

  private static Value number(int number) {
    return Value.newBuilder().setNumberValue(number).build();
  }

  private static Value nested(int depth) {
    Value value = Value.getDefaultInstance();
    for (int i = 0; i < depth; i++) {
      value = Value.newBuilder().setListValue(ListValue.newBuilder().addValues(value)).build();
    }
    return value;
  }

  /** A message of many datagrams. */
  private static Struct fields(int count) {
    Struct.Builder struct = Struct.newBuilder();
    IntStream.range(0, count).forEach(i -> struct.putFields("key" + i, number(i)));
    return struct.build();
  }

  private static CallException failure(Route<?, ?> route, Supplier<?> call) {
    CompletionException failure = assertThrows(CompletionException.class, call::get, route.name());
    return assertInstanceOf(CallException.class, failure.getCause());
  }

  @Test
  void shouldCarryCallsAndStreams() {
    assertEquals(number(0), PEER.unary(COUNT, fields(0)).join());
    assertEquals(number(20_000), PEER.unary(COUNT, fields(20_000)).join());
    List<Value> counted =
        PEER.streamingResponse(COUNT, fields(500))
            .runWith(Sink.seq(), CLIENT.materializer())
            .toCompletableFuture()
            .join();
    assertEquals(
        IntStream.rangeClosed(1, 500).mapToObj(ProtobufTransportTest::number).toList(), counted);
  }

  @Test
  void shouldTellTheCallerOfBadBytes() {
    Route<ByteString, Value> raw = Route.of("count", Codec.bytes(), VALUES);

    CallException told =
        failure(raw, () -> PEER.unary(raw, ByteString.fromArray(new byte[] {10, 9, 1})).join());

    assertEquals(CallOutcome.REQUEST_NOT_DECODED, told.outcome());
    String text = String.valueOf(told.getMessage());
    assertTrue(text.contains("could not be decoded: google.protobuf.Struct: "), text);
  }

  @Test
  void shouldHoldLimitsAtTheCaller() {
    Route<ByteString, Value> deep = Route.of("deep", Codec.bytes(), VALUES);
    Route<Struct, Value> small = Route.of("count", STRUCTS.withMaxBytes(10), VALUES);

    CallException response =
        failure(deep, () -> PEER.unary(deep, ByteString.emptyByteString()).join());

    assertEquals(CallOutcome.RESPONSE_NOT_DECODED, response.outcome());
    assertTrue(String.valueOf(response.getMessage()).contains("google.protobuf.Value: "));
    RuntimeException request =
        assertThrows(RuntimeException.class, () -> PEER.unary(small, fields(3)).join());
    assertTrue(
        String.valueOf(request.getMessage()).contains("and the limit is 10"), request::getMessage);
  }
}
