package io.millrace.protobuf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.BytesValue;
import com.google.protobuf.DescriptorProtos.FieldOptions;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.UninterpretedOption;
import com.google.protobuf.DescriptorProtos.UninterpretedOption.NamePart;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Empty;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.ListValue;
import com.google.protobuf.MessageLite;
import com.google.protobuf.StringValue;
import com.google.protobuf.Struct;
import com.google.protobuf.StructProto;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UninitializedMessageException;
import com.google.protobuf.Value;
import io.millrace.api.codec.CodecException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProtobufCodecTest {
  private static final ProtobufCodec<Timestamp> TIMES = ProtobufCodec.of(Timestamp.class);
  private static final Timestamp TIME =
      Timestamp.newBuilder().setSeconds(1_700_000_000).setNanos(7).build();

  /** A message with most kinds of fields: the description of the messages of {@link Struct}. */
  private static final FileDescriptorProto FILE = StructProto.getDescriptor().toProto();

  static Stream<MessageLite> messages() {
    Struct.Builder struct = Struct.newBuilder();
    for (int i = 0; i < 300; i++) {
      struct.putFields("key" + i, Value.newBuilder().setNumberValue(i).build());
    }
    return Stream.of(
        Empty.getDefaultInstance(),
        TIME,
        struct.build(),
        Any.pack(TIME),
        FILE,
        StringValue.of("sluice gate \u2713".repeat(10_000)),
        DynamicMessage.newBuilder(TIME).build());
  }

  private static CodecException refused(ProtobufCodec<?> codec, ByteString message) {
    CodecException failure = assertThrows(CodecException.class, () -> codec.decode(message));
    assertInstanceOf(InvalidProtocolBufferException.class, failure.getCause());
    return failure;
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldEncodeAsProtobufDoesAndDecodeIt(MessageLite message) {
    ProtobufCodec<MessageLite> codec = ProtobufCodec.of(message);

    ByteString bytes = codec.encode(message);

    assertEquals(ByteString.fromArray(message.toByteArray()), bytes);
    assertEquals(message, codec.decode(bytes));
    assertEquals(message, codec.decode(bytes.take(1).concat(bytes.drop(1))), "of two pieces");
  }

  @Test
  void shouldEncodeIntoOneArrayAndReadBytesWithoutACopy() {
    ProtobufCodec<BytesValue> codec = ProtobufCodec.of(BytesValue.class);
    byte[] sent =
        codec
            .encode(BytesValue.of(com.google.protobuf.ByteString.copyFrom(new byte[1_000])))
            .toArrayUnsafe();

    BytesValue received = codec.decode(ByteString.fromArrayUnsafe(sent));
    sent[sent.length - 1] = 5;

    assertEquals(5, received.getValue().byteAt(999));
  }

  @Test
  void shouldKeepUnknownFields() {
    ProtobufCodec<Empty> older = ProtobufCodec.of(Empty.getDefaultInstance());
    ByteString message = TIMES.encode(TIME);

    assertEquals(TIME, TIMES.decode(older.encode(older.decode(message))));
  }

  /** Protocol Buffers mark no end: a cut between two fields leaves a message with less fields. */
  @Test
  void shouldRefuseEachCutThatIsNotBetweenFields() {
    ProtobufCodec<FileDescriptorProto> codec = ProtobufCodec.of(FILE);
    ByteString message = codec.encode(FILE);
    int refused = 0;
    for (int length = 0; length < message.size(); length++) {
      ByteString cut = message.take(length);
      try {
        assertEquals(cut, codec.encode(codec.decode(cut)), "cut at " + length);
      } catch (CodecException e) {
        assertTrue(
            String.valueOf(e.getMessage()).startsWith("google.protobuf.FileDescriptorProto: "));
        refused++;
      }
    }
    assertTrue(refused > message.size() - 20, refused + " of " + message.size());
  }

  @Test
  void shouldThrowNothingButItsExceptionForBadBytes() {
    ProtobufCodec<FileDescriptorProto> codec = ProtobufCodec.of(FILE);
    byte[] message = codec.encode(FILE).toArrayUnsafe();
    SplittableRandom random = new SplittableRandom(17);
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] bad = message.clone();
      for (int j = 0; j <= i % 3; j++) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      try {
        var _ = codec.decode(ByteString.fromArrayUnsafe(bad));
      } catch (CodecException e) {
        assertInstanceOf(InvalidProtocolBufferException.class, e.getCause());
        refused++;
      }
    }
    assertTrue(refused > 1_000, "only " + refused + " were refused");
  }

  @Test
  void shouldRefuseAnEndGroupBehindTheMessage() {
    byte endOfGroupOne = 12;
    ByteString message =
        TIMES.encode(TIME).concat(ByteString.fromArray(new byte[] {endOfGroupOne, 1, 2, 3}));

    String text = String.valueOf(refused(TIMES, message).getMessage());

    assertTrue(text.startsWith("google.protobuf.Timestamp: "), text);
  }

  @Test
  void shouldHoldTheLimitForSizesInBothDirections() {
    ByteString message = TIMES.encode(TIME);
    ProtobufCodec<Timestamp> fits = TIMES.withMaxBytes(message.size());
    ProtobufCodec<Timestamp> less = TIMES.withMaxBytes(message.size() - 1);
    String told = "google.protobuf.Timestamp: 8 bytes, and the limit is 7";

    assertEquals(TIME, fits.decode(fits.encode(TIME)));
    assertEquals(told, refused(less, message).getMessage());
    assertEquals(told, assertThrows(CodecException.class, () -> less.encode(TIME)).getMessage());
    ByteString large = ByteString.fromArrayUnsafe(new byte[ProtobufCodec.DEFAULT_MAX_BYTES + 1]);
    assertTrue(String.valueOf(refused(TIMES, large).getMessage()).endsWith("limit is 4194304"));
  }

  @Test
  void shouldHoldTheLimitForDepth() {
    Value value = Value.getDefaultInstance();
    // a value in a list in a value: two messages a turn
    for (int i = 0; i < 30; i++) {
      value = Value.newBuilder().setListValue(ListValue.newBuilder().addValues(value)).build();
    }
    ProtobufCodec<Value> codec = ProtobufCodec.of(Value.class);
    ByteString message = codec.encode(value);

    assertEquals(value, codec.withMaxDepth(60).decode(message));
    String text = String.valueOf(refused(codec.withMaxDepth(59), message).getMessage());
    assertTrue(text.startsWith("google.protobuf.Value: "), text);
    assertTrue(text.contains("nesting"), text);
  }

  @Test
  void shouldNameRequiredFieldsThatAreMissing() {
    UninterpretedOption lacking =
        UninterpretedOption.newBuilder().addName(NamePart.getDefaultInstance()).buildPartial();
    ProtobufCodec<UninterpretedOption> codec = ProtobufCodec.of(lacking);

    CodecException unsent = assertThrows(CodecException.class, () -> codec.encode(lacking));
    CodecException unread = refused(codec, ByteString.fromArray(lacking.toByteArray()));

    assertInstanceOf(UninitializedMessageException.class, unsent.getCause());
    for (CodecException failure : Arrays.asList(unsent, unread)) {
      String text = String.valueOf(failure.getMessage());
      assertTrue(text.startsWith("google.protobuf.UninterpretedOption: "), text);
      assertTrue(text.contains("name[0].name_part"), text);
    }
  }

  @Test
  void shouldRefuseWhatIsNoGeneratedClassAndNoLimit() {
    String text =
        assertThrows(IllegalArgumentException.class, () -> ProtobufCodec.of(MessageLite.class))
            .getMessage();
    assertEquals("com.google.protobuf.MessageLite is no generated class", text);
    assertThrows(IllegalArgumentException.class, () -> TIMES.withMaxBytes(0));
    assertThrows(IllegalArgumentException.class, () -> TIMES.withMaxDepth(0));
    assertEquals("ProtobufCodec[google.protobuf.Timestamp]", TIMES.toString());
    assertEquals(
        "ProtobufCodec[google.protobuf.FieldOptions]",
        ProtobufCodec.of(FieldOptions.class).toString());
  }
}
