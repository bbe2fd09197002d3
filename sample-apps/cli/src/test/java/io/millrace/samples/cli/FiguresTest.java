package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {
  @Test
  void shouldScaleFigures() {
    assertEquals("1,234,567", Figures.count(1_234_567));
    assertEquals("999 B", Figures.bytes(999));
    assertEquals("5.9 MB", Figures.bytes(5_912_345));
    assertEquals("0 ns", Figures.time(0));
    assertEquals("12.3 us", Figures.time(12_345));
    assertEquals("90.0 s", Figures.time(90_000_000_000L));
    assertEquals("1.500 s", Figures.seconds(1_500_000_000L));
  }

  @Test
  void shouldAlignColumnsUnderTheirHeading() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new TextTable()
        .row("a", "long heading", "c")
        .row("wide cell", 1, "")
        .print(new PrintStream(bytes, true, StandardCharsets.UTF_8));

    assertEquals(
        List.of("a          long heading  c", "--------------------------", "wide cell  1"),
        bytes.toString(StandardCharsets.UTF_8).lines().toList());
  }
}
