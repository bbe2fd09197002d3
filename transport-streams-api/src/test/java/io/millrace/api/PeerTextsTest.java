package io.millrace.api;

import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PeerText;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A peer's text about a failure is cleaned before any reader gets the text; rule X-6. */
@Timeout(120)
class PeerTextsTest {
  private static final String WRITTEN = "no\u001b[2J\nroot: \u202egnp.exe";
  private static final String SHOWN = "no?[2J root: ?gnp.exe";

  private final TwoNodes nodes = new TwoNodes("");

  @AfterEach
  void stop() {
    nodes.close();
  }

  private static void refuse() {
    throw new IllegalStateException(WRITTEN);
  }

  @ParameterizedTest
  @EnumSource(AcceptorPattern.class)
  void shouldCleanARefusal(AcceptorPattern pattern) {
    pattern.serve(nodes, offer -> refuse(), new AcceptorPattern.Served());
    for (int length : new int[] {0, 300_000}) {
      CallException failed = failure(nodes, pattern.request(nodes, new byte[length]));
      assertEquals(CallOutcome.REFUSED, failed.outcome());
      assertEquals(SHOWN, failed.reason());
    }
  }

  @Test
  void shouldCleanRefusalsOfBulk() {
    Raw.serveBulkReads(
        nodes.server(),
        ROUTE,
        offer -> {
          throw new IllegalStateException(WRITTEN);
        });
    Raw.serveBulkWrites(
        nodes.server(),
        ROUTE,
        offer -> {
          throw new IllegalStateException(WRITTEN + "x".repeat(100_000));
        });
    CallException read =
        failure(
            nodes,
            Raw.bulkRead(nodes.peer(), ROUTE, AccessLab.nowhere(), TransferOptions.DEFAULTS));
    assertEquals(CallOutcome.REFUSED, read.outcome());
    assertEquals(SHOWN, read.reason());
    CallException write =
        failure(
            nodes,
            Raw.bulkWrite(
                nodes.peer(),
                ROUTE,
                new ArraySource(new byte[10], 0, 10),
                TransferOptions.DEFAULTS));
    String text = write.reason();
    assertTrue(text.startsWith(SHOWN + "xxx"), text);
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    assertTrue(bytes <= PeerText.MOST_BYTES, bytes + " bytes");
  }
}
