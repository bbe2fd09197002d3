package io.millrace.api.codec.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.api.codec.Codec;
import java.io.IOException;
import java.util.List;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JacksonCodecTest {
  private static final JacksonCodec<Order> ORDERS = JacksonCodec.of(Order.class);

  record Order(String article, int count) {}

  @Test
  void shouldEncodeAsJsonAndDecodeIt() throws Exception {
    ByteString message = ORDERS.encode(new Order("sluice gate \u2713", 3));

    assertEquals("{\"article\":\"sluice gate \u2713\",\"count\":3}", message.utf8String());
    assertEquals(new Order("sluice gate \u2713", 3), ORDERS.decode(message));
  }

  @Test
  void shouldKeepTypeParameters() throws Exception {
    Codec<List<Order>> codec =
        JacksonCodec.of(JsonMapper.builder().build(), new TypeReference<List<Order>>() {});

    List<Order> decoded = codec.decode(codec.encode(List.of(new Order("a", 1))));

    assertEquals(new Order("a", 1), decoded.getFirst());
  }

  @Test
  void shouldDoAsTheMapperSays() throws Exception {
    JsonMapper lenient =
        JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    ByteString message =
        ByteString.fromString("{\"article\":\"a\",\"count\":1,\"colour\":\"red\"}");

    assertEquals(new Order("a", 1), JacksonCodec.of(lenient, Order.class).decode(message));
    assertThrows(IOException.class, () -> ORDERS.decode(message));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "{",
        "[]",
        "{\"article\":\"a\",\"count\":\"many\"}",
        "{\"article\":\"a\",\"count\":1} {}",
        "{\"article\":\"a\",\"count\":1}x",
        "{\"article\":\"a\",\"count\":99999999999}"
      })
  void shouldRefuseWhatIsNotOneValue(String message) {
    assertThrows(IOException.class, () -> ORDERS.decode(ByteString.fromString(message)));
  }

  @Test
  void shouldRefuseBytesThatAreNoText() {
    assertThrows(
        IOException.class,
        () -> ORDERS.decode(ByteString.fromArray(new byte[] {'"', (byte) 0xff, '"'})));
  }

  @Test
  void shouldRefuseWhatIsTooDeep() {
    Codec<Object> anything = JacksonCodec.of(Object.class);

    assertThrows(
        IOException.class, () -> anything.decode(ByteString.fromString("[".repeat(100_000))));
  }

  @Test
  void shouldSayWhereItIsWrong() {
    ByteString message = ByteString.fromString("{\"article\":\"a\",\n \"count\":true}");

    String text =
        String.valueOf(assertThrows(IOException.class, () -> ORDERS.decode(message)).getMessage());

    assertTrue(text.endsWith("(line 2, column 10)"), text);
    assertFalse(text.contains("Order"), text);
  }
}
