package io.millrace.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.RecordRange;
import io.millrace.crypto.Records;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The services that all bodies of a node share. */
final class BodyServicesTest {
  private final BodyServices services =
      TestBodies.services(AeadProviders.discover().select(Records.RECORD_BYTES));

  @Test
  void shouldDropKeysThatNobodyUsedForAMinute() {
    services.onTime(1);
    RecordWorkspace workspace = services.takeWorkspace();
    byte[] sealed = new byte[10 + Records.TAG_BYTES];
    RecordRange range = workspace.keys.reserve(1, 1);
    long nonce = workspace.sealer.seal(range, new byte[10], 0, 10, sealed, 0);
    assertTrue(workspace.opener.open(range.dataKey(), nonce, sealed, 0, 10, new byte[10], 0));
    assertEquals(1, workspace.opener.schedules());
    services.putBack(workspace);

    services.onTime(TimeUnit.SECONDS.toNanos(60));
    assertSame(workspace, services.takeWorkspace());
    assertEquals(1, workspace.opener.schedules());
    services.putBack(workspace);
    services.onTime(TimeUnit.SECONDS.toNanos(60) + 1);
    assertEquals(0, services.takeWorkspace().opener.schedules());
  }

  @Test
  void shouldNotGiveOneWorkspaceToTwoTasksThoughItCameBackTwice() {
    RecordWorkspace workspace = services.takeWorkspace();
    services.putBack(workspace);
    assertThrows(IllegalStateException.class, () -> services.putBack(workspace));
    assertSame(workspace, services.takeWorkspace());
    assertNotSame(workspace, services.takeWorkspace());
  }

  @Test
  void shouldNotPutAFillBackTwice() {
    InboundFill fill = new InboundFill();
    fill.start(new NoReceiver(), 0, null, 0, 0);
    fill.finish();
    assertThrows(IllegalStateException.class, fill::finish);
  }

  private static final class NoReceiver implements InboundFill.Receiver {
    @Override
    public void onConsumed(InboundFill fill, long nowNs) {}

    @Override
    public void onWithdrawn(InboundFill fill, long nowNs) {}

    @Override
    public void onReturned(InboundFill fill) {}

    @Override
    public void onFault(Throwable fault) {
      throw new AssertionError(fault);
    }

    @Override
    public void onRecordBad(InboundFill fill, int record, long nowNs) {}
  }
}
