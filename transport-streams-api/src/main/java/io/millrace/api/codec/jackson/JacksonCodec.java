package io.millrace.api.codec.jackson;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.api.codec.Codec;
import java.io.IOException;
import org.apache.pekko.util.ByteString;

/**
 * A codec of JSON in UTF-8. A message holds a single value: bytes behind the value are an error
 * with every mapper, and so is the value {@code null}. All other rules are the mapper's; without a
 * given mapper, unknown properties are an error, and Jackson's limits for depth and lengths hold.
 */
public final class JacksonCodec<T> implements Codec<T> {
  private static final ObjectMapper USUAL = JsonMapper.builder().build();

  private final ObjectWriter writer;
  private final ObjectReader reader;

  private JacksonCodec(ObjectMapper mapper, JavaType type) {
    writer = mapper.writerFor(type);
    reader = mapper.readerFor(type).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  /** Returns the codec for values of a class or a record, with Jackson's default mapper. */
  public static <T> JacksonCodec<T> of(Class<T> type) {
    return of(USUAL, type);
  }

  /**
   * Returns the codec for values of a class or a record; later changes of the mapper have no
   * effect.
   */
  public static <T> JacksonCodec<T> of(ObjectMapper mapper, Class<T> type) {
    return new JacksonCodec<>(mapper, mapper.constructType(type));
  }

  /** Returns the codec for values of a type with parameters, such as a list of records. */
  public static <T> JacksonCodec<T> of(ObjectMapper mapper, TypeReference<T> type) {
    return new JacksonCodec<>(mapper, mapper.constructType(type));
  }

  @Override
  public ByteString encode(T value) throws JsonProcessingException {
    return ByteString.fromArrayUnsafe(writer.writeValueAsBytes(value));
  }

  @Override
  public T decode(ByteString message) throws IOException {
    try {
      T value = reader.readValue(message.toArrayUnsafe());
      if (value == null) {
        throw new IOException("null is no message");
      }
      return value;
    } catch (JsonProcessingException e) {
      throw new IOException(told(e), e);
    }
  }

  /**
   * Returns the error and its place, with no detail of this side's classes beyond Jackson's own
   * message.
   */
  private static String told(JsonProcessingException failure) {
    JsonLocation at = failure.getLocation();
    String where =
        at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
    return failure.getOriginalMessage() + where;
  }
}
