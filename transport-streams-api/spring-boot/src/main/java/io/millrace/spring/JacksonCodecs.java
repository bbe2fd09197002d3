package io.millrace.spring;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.api.codec.Codec;
import io.millrace.api.codec.jackson.JacksonCodec;
import java.lang.reflect.Type;
import org.springframework.beans.factory.ListableBeanFactory;

/** JSON codecs; loaded only where Jackson 2 is on the class path. */
final class JacksonCodecs {
  private JacksonCodecs() {}

  static Codec<Object> of(ListableBeanFactory beans, Type type) {
    ObjectMapper mapper =
        beans
            .getBeanProvider(ObjectMapper.class)
            .getIfAvailable(() -> JsonMapper.builder().build());
    return JacksonCodec.of(
        mapper,
        new TypeReference<Object>() {
          @Override
          public Type getType() {
            return type;
          }
        });
  }
}
