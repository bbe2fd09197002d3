package io.millrace.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.UninitializedMessageException;
import com.google.protobuf.UnsafeByteOperations;
import io.millrace.api.codec.Codec;
import io.millrace.api.codec.CodecException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import org.apache.pekko.util.ByteString;

/**
 * A codec of one type of Protocol Buffers messages, such as {@code
 * ProtobufCodec.of(Order.getDefaultInstance())}. A value is written once, into an array of its
 * size, and the transport sends that array. A message is read from the array that the transport
 * received; fields of type {@code bytes} are views of the array and keep the array alive. Fields
 * that the type does not know are kept and written again.
 *
 * <p>Each codec has two limits: the size of a message in bytes, and the depth of messages within
 * messages. A small message can make a large object: an empty message in a repeated field takes two
 * bytes on the wire and fifty or so in memory. Immutable; any thread.
 *
 * @param <M> the type of the messages
 */
public final class ProtobufCodec<M extends MessageLite> implements Codec<M> {
  /** The largest message of a codec without another limit, in bytes: 4 MiB. */
  public static final int DEFAULT_MAX_BYTES = 4 << 20;

  /** The deepest nesting of a codec without another limit, in messages within messages. */
  public static final int DEFAULT_MAX_DEPTH = 100;

  private final String name;
  private final Parser<M> parser;
  private final int maxBytes;
  private final int maxDepth;
  private final ExtensionRegistryLite extensions;

  private ProtobufCodec(
      String name, Parser<M> parser, int maxBytes, int maxDepth, ExtensionRegistryLite extensions) {
    this.name = name;
    this.parser = parser;
    this.maxBytes = maxBytes;
    this.maxDepth = maxDepth;
    this.extensions = extensions;
  }

  /**
   * Returns the codec for messages of the same type as this message. The usual argument is the
   * default instance of a generated class; the message may be a {@code DynamicMessage} as well.
   */
  public static <M extends MessageLite> ProtobufCodec<M> of(M message) {
    @SuppressWarnings("unchecked") // each message returns the parser of its own type
    Parser<M> parser = (Parser<M>) message.getParserForType();
    return new ProtobufCodec<>(
        nameOf(message),
        parser,
        DEFAULT_MAX_BYTES,
        DEFAULT_MAX_DEPTH,
        ExtensionRegistryLite.getEmptyRegistry());
  }

  /**
   * Returns the codec for messages of a generated class.
   *
   * @throws IllegalArgumentException if the class has no public static method {@code
   *     getDefaultInstance()}, as each generated class has
   */
  public static <M extends MessageLite> ProtobufCodec<M> of(Class<M> type) {
    try {
      return of(type.cast(type.getMethod("getDefaultInstance").invoke(null)));
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      throw new IllegalArgumentException(type.getName() + " is no generated class", e);
    }
  }

  /**
   * Returns this codec with another limit for sizes, which holds for both directions. The limit of
   * the transport, {@code millrace.transfers.message}, holds as well.
   *
   * @param most bytes, at least 1
   */
  public ProtobufCodec<M> withMaxBytes(int most) {
    requirePositive(most, "maxBytes");
    return new ProtobufCodec<>(name, parser, most, maxDepth, extensions);
  }

  /**
   * Returns this codec with another limit for nesting, which holds for decoding.
   *
   * @param most messages within messages, at least 1
   */
  public ProtobufCodec<M> withMaxDepth(int most) {
    requirePositive(most, "maxDepth");
    return new ProtobufCodec<>(name, parser, maxBytes, most, extensions);
  }

  /** Returns this codec with extensions, which are unknown fields without a registry. */
  public ProtobufCodec<M> withExtensions(ExtensionRegistryLite known) {
    return new ProtobufCodec<>(name, parser, maxBytes, maxDepth, known);
  }

  /**
   * Returns the bytes of a message, in one array.
   *
   * @throws CodecException if the message is longer than the limit or has no value for a required
   *     field; names the type of the message
   */
  @Override
  public ByteString encode(M value) {
    int bytes = value.getSerializedSize();
    requireFits(bytes);
    requireComplete(value);
    byte[] message = new byte[bytes];
    CodedOutputStream output = CodedOutputStream.newInstance(message);
    try {
      value.writeTo(output);
      output.checkNoSpaceLeft();
    } catch (IOException | IllegalStateException e) {
      throw failure(e);
    }
    return ByteString.fromArrayUnsafe(message);
  }

  /**
   * Returns the value of a message.
   *
   * @throws CodecException if the bytes are no message of the type, exceed a limit, or leave out a
   *     required field; names the type of the message
   */
  @Override
  public M decode(ByteString message) {
    requireFits(message.size());
    // The only input that gives views of its bytes comes from a byte string of Protocol Buffers.
    CodedInputStream input =
        UnsafeByteOperations.unsafeWrap(message.toArrayUnsafe()).newCodedInput();
    input.enableAliasing(true);
    input.setRecursionLimit(maxDepth);
    try {
      M value = parser.parseFrom(input, extensions);
      input.checkLastTagWas(0);
      return value;
    } catch (InvalidProtocolBufferException e) {
      throw failure(e);
    }
  }

  @Override
  public String toString() {
    return "ProtobufCodec[" + name + "]";
  }

  private void requireFits(int bytes) {
    // The size of a message of 2 GiB and more is negative.
    if (bytes < 0 || bytes > maxBytes) {
      String text = Integer.toUnsignedString(bytes) + " bytes, and the limit is " + maxBytes;
      throw failure(new InvalidProtocolBufferException(text));
    }
  }

  private void requireComplete(M value) {
    if (!value.isInitialized()) {
      throw failure(
          value instanceof Message message
              ? new UninitializedMessageException(message.findInitializationErrors())
              : new UninitializedMessageException(value));
    }
  }

  private CodecException failure(Exception cause) {
    return new CodecException(name + ": " + cause.getMessage(), cause);
  }

  private static String nameOf(MessageLite message) {
    return message instanceof Message full
        ? full.getDescriptorForType().getFullName()
        : message.getClass().getName();
  }

  private static void requirePositive(int limit, String name) {
    if (limit < 1) {
      throw new IllegalArgumentException(name + " must be at least 1: " + limit);
    }
  }
}
