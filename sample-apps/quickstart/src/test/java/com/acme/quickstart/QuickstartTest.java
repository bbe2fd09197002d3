package com.acme.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the quickstart over real sockets. */
class QuickstartTest {
  @Test
  @Timeout(60)
  void shouldCallStreamAndCopy() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stdout = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      Quickstart.main(new String[0]);
    } finally {
      System.setOut(stdout);
    }
    assertEquals(
        """
        call: hello anna, guest 1
        stream: 1 to 1000 sums to 500500
        file: 117000 bytes, the same
        """,
        printed.toString(StandardCharsets.UTF_8));
  }
}
