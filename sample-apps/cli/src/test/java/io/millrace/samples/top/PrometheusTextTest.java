package io.millrace.samples.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrometheusTextTest {
  @Test
  void shouldReadLabelsWithTheirEscapes() {
    PrometheusText text =
        PrometheusText.parse("# TYPE a gauge\na{x=\"1\\n\\\"}{\\\\\",y=\"\",} +Inf 17\na 2.5e3\n");
    assertEquals("1\n\"}{\\", text.samples().getFirst().label("x"));
    assertEquals(Double.POSITIVE_INFINITY, text.samples().getFirst().value());
    assertEquals(2_500, text.samples().getLast().value());
  }

  /** Each text has a single mistake; {@code |} ends a line. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          the last line has no end;        a 1
          a wrong name;                    1a 1|
          a wrong name;                    a.b 1|
          a wrong label;                   a{b-c="1"} 1|
          a label without a value;         a{b} 1|
          a value without quotes;          a{b=1} 1|
          a wrong escape;                  a{b="\\x"} 1|
          the line ends too early;         a{b="1|
          no comma after a label;          a{b="1"c="2"} 1|
          a label twice;                   a{b="1",b="2"} 1|
          no number;                       a 1,5|
          more than a value and a time;    a 1 2 3|
          a series twice;                  a 1|a 2|
          its family was over;             a 1|b 1|a{x="1"} 2|
          a second TYPE;                   # TYPE a gauge|# TYPE a gauge|
          a TYPE after samples;            a 1|# TYPE a gauge|
          a wrong type;                    # TYPE a number|
          a negative counter;              # TYPE a counter|a -1|
          buckets that shrink;  # TYPE a histogram|a_bucket{le="1"} 2|a_bucket{le="+Inf"} 1|a_sum 1|a_count 1|
          buckets in a wrong order;        # TYPE a histogram|a_bucket{le="2"} 1|a_bucket{le="1"} 1|
          no bucket +Inf;                  # TYPE a histogram|a_bucket{le="1"} 1|a_sum 1|a_count 1|
          +Inf is not the count;           # TYPE a histogram|a_bucket{le="+Inf"} 1|a_sum 1|a_count 2|
          buckets without a count;         # TYPE a histogram|a_bucket{le="+Inf"} 1|
          """)
  void shouldRefuseWhatIsWrong(String reason, String lines) {
    String text = lines.strip().replace('|', '\n');
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> PrometheusText.parse(text))
                .getMessage());
    assertTrue(message.startsWith(reason + ": "), message);
  }
}
