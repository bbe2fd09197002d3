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
 * JSON in UTF-8. One message is one value: bytes behind it are an error, whatever the mapper says,
 * and so is the value {@code null}. All else is as the mapper is configured; without one, unknown
 * properties are an error and the limits of Jackson for depth and lengths hold.
 */
public final class JacksonCodec<T> implements Codec<T> {
  private static final ObjectMapper USUAL = JsonMapper.builder().build();

  private final ObjectWriter writer;
  private final ObjectReader reader;

  private JacksonCodec(ObjectMapper mapper, JavaType type) {
    writer = mapper.writerFor(type);
    reader = mapper.readerFor(type).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  /** Values of a class or a record, by a mapper as Jackson makes it. */
  public static <T> JacksonCodec<T> of(Class<T> type) {
    return of(USUAL, type);
  }

  /** Values of a class or a record; changes of the mapper made afterwards have no effect. */
  public static <T> JacksonCodec<T> of(ObjectMapper mapper, Class<T> type) {
    return new JacksonCodec<>(mapper, mapper.constructType(type));
  }

  /** Values of a type with parameters: a list of records, for one. */
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

  /** What is wrong and where: nothing about this side's classes beyond what Jackson must say. */
  private static String told(JsonProcessingException failure) {
    JsonLocation at = failure.getLocation();
    String where =
        at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
    return failure.getOriginalMessage() + where;
  }
}
